"""Learning networks from incomplete data: EM and latent classes."""
