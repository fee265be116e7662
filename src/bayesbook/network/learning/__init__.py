"""Learning networks from complete data: parameters, scores, searches."""
