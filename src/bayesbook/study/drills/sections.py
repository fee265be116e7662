"""The sections of the book that explain a drill, by their labels."""

_SECTIONS = {
    "bayes": "sec-bayes",
    "total-probability": "sec-total",
    "separation": "sec-trails",
    "equivalence": "sec-equivalence",
    "parameters": "sec-representation-definition",
    "blanket": "sec-representation-blanket",
    "query": "sec-inference-elimination",
    "smoothing": "sec-learning-parameters",
    "score-delta": "sec-learning-price",
    "compelled": "sec-learning-classes",
    "chow-liu": "sec-learning-tree",
    "em-step": "sec-em-steps",
    "map-em": "sec-em-map",
    "maximum-likelihood": "sec-mle",
    "standard-error": "sec-mle-curvature",
    "naive-bayes": "sec-nb-posterior",
    "odds": "sec-nb-posterior",
    "conditional-mean": "sec-conditional-expectation",
    "total-variance": "sec-total-variance",
    "deviation-bound": "sec-limit-tails",
    "sampling-error": "sec-limit-monte-carlo",
    "threshold": "sec-decisions-threshold",
    "bayes-risk": "sec-decisions-rule",
    "least-risk": "sec-risk-constant",
    "squared-risk": "sec-risk-bias-variance",
    "beta-estimate": "sec-map-three",
    "shrinkage": "sec-map-ridge",
    "concept-posterior": "sec-concepts-posterior",
    "concept-prediction": "sec-concepts-averaging",
    "super-parent": "sec-semi-naive-parents",
    "tree-gain": "sec-semi-naive-tan",
    "pooled-counts": "sec-features-three",
    "measured-odds": "sec-features-gaussian",
    "document-odds": "sec-text-urn",
    "fixed-point": "sec-text-fit",
    "merged-moments": "sec-large-moments",
    "reduction-tree": "sec-large-workers",
    "chain-messages": "sec-inference-chain",
    "elimination-cost": "sec-inference-width",
    "metropolis-step": "sec-mcmc-metropolis",
    "dependent-draws": "sec-mcmc-ess",
    "kalman-step": "sec-seq-kalman",
    "baum-welch": "sec-seq-baum-welch",
    "unknown-noise": "sec-gg-both",
}
# After data and for what comes next: elsewhere if that has its own section.
_OF_FAMILIES = {
    "beta-binomial": ("sec-bb-conjugate", "sec-bb-next"),
    "dirichlet-multinomial": (
        "sec-dirichlet-posterior",
        "sec-dirichlet-predictive",
    ),
    "gaussian": ("sec-gg-precision", "sec-gg-precision"),
    "gamma-poisson": ("sec-gg-poisson", "sec-gg-poisson"),
    "gamma-exponential": ("sec-gg-exponential", "sec-gg-exponential"),
}


def section_of(kind: str, family: str) -> str:
    """Return the label of a section."""
    if family:
        return _OF_FAMILIES[family][kind == "predict"]
    return _SECTIONS[kind]
