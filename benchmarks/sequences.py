"""Mixtures and sequences beside their peers: prints a table in Markdown.

Every engine gets the rows in the form that it likes best, begins with the same
parameters, and must give the same answer before it is timed. `--only symbols`
runs one section, `--rounds 3` is quicker than 7. Linux only, because of the
memory.

hmmlearn's loops over steps and states are compiled. A step of Viterbi's
algorithm is only K times K additions and comparisons: with numpy each of them
passes through memory several times, so there hmmlearn stays ahead.
"""

import warnings
from functools import partial

import numpy as np
from _side_by_side import OURS, Report, describe_machine, optional, options
from sklearn.mixture import GaussianMixture

from bayesbook.sequences import HiddenMarkov, KalmanFilter, Mixture

LENGTH, SYMBOLS = 100_000, 20
STATES = (2, 8, 32)
# Many short sequences in place of a long one.
SHORT = 100
STEPS = 10
N_ROWS, N_COLUMNS, N_COMPONENTS = 20_000, 10, 5

hmm = optional("hmmlearn.hmm")
filterpy = optional("filterpy.kalman")


def draw_chain(n_states, rng):
    """Draw a hidden Markov model of symbols."""
    return HiddenMarkov.from_parameters(
        rng.dirichlet(np.ones(n_states)),
        rng.dirichlet(np.ones(n_states), n_states),
        rng.dirichlet(np.ones(SYMBOLS), n_states),
    )


def of_hmmlearn(model, kind="CategoricalHMM", **settings):
    """Return the same model of hmmlearn."""
    peer = getattr(hmm, kind)(len(model.start_), **settings)
    peer.startprob_, peer.transmat_ = model.start_, model.transition_
    if kind == "CategoricalHMM":
        peer.emissionprob_ = model.emission_
    else:
        peer.means_, peer.covars_ = model.means_, model.covariances_
    return peer


def symbols(report):
    """Time questions on a long sequence of symbols."""
    for K in STATES:
        model = draw_chain(K, np.random.default_rng(K))
        x = model.sample(LENGTH, rng=K)[0]
        column = x[:, None]
        tasks = {
            "log-likelihood": (
                partial(model.log_likelihood, x),
                "score",
                np.array,
            ),
            "posteriors": (
                partial(model.posteriors, x),
                "predict_proba",
                np.array,
            ),
            "best path": (
                partial(model.most_probable_path, x),
                "predict",
                partial(model.joint_log_prob, x),
            ),
        }
        for name, (ours, theirs, read) in tasks.items():
            engines = {OURS: (ours, read)}
            if hmm:
                peers = {
                    f"hmmlearn, {how}": of_hmmlearn(model, implementation=how)
                    for how in ("log", "scaling")
                }
                engines |= {
                    name: (partial(getattr(peer, theirs), column), read)
                    for name, peer in peers.items()
                }
            title = f"{LENGTH:,} symbols, {K} states: {name}"
            targets = dict.fromkeys(list(engines)[1:2], 1)
            report.task(title, engines, targets=targets, tolerance=1e-6)


def training(report):
    """Time steps of Baum-Welch, from one start."""
    warnings.simplefilter("ignore")
    start = draw_chain(4, np.random.default_rng(0))
    x = start.sample(LENGTH, rng=0)[0]
    cuts = {"a sequence": [x], "1,000 sequences": list(x.reshape(-1, SHORT))}
    for what, sequences in cuts.items():
        model = HiddenMarkov(4, max_iter=STEPS, tol=1e-30)
        engines = {
            OURS: (
                partial(model.fit, sequences, start=start),
                lambda fitted: fitted.transition_,
            )
        }
        if hmm:
            for how in ("log", "scaling"):
                engines[f"hmmlearn, {how}"] = (
                    partial(fit_hmmlearn, start, x, sequences, how),
                    lambda fitted: fitted.transmat_,
                )
        title = f"{STEPS} steps of training, {what}, {LENGTH:,} symbols"
        targets = dict.fromkeys(list(engines)[1:2], 1)
        report.task(title, engines, targets=targets, tolerance=1e-6)


def fit_hmmlearn(start, x, sequences, how):
    """Make the same steps with hmmlearn."""
    peer = of_hmmlearn(
        start, implementation=how, n_iter=STEPS, tol=-np.inf, init_params=""
    )
    return peer.fit(x[:, None], [len(each) for each in sequences])


def mixtures(report):
    """Time steps of EM for a mixture of Gaussians, from one start."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(N_COMPONENTS, N_COLUMNS)) * 2
    X = centres[rng.integers(0, N_COMPONENTS, N_ROWS)] + rng.normal(
        size=(N_ROWS, N_COLUMNS)
    )
    weights = np.full(N_COMPONENTS, 1 / N_COMPONENTS)
    for covariance, theirs in (("full", "full"), ("diagonal", "diag")):
        full = covariance == "full"
        covs = np.ones((N_COMPONENTS, N_COLUMNS))
        covs = np.array([np.diag(each) for each in covs]) if full else covs
        start = Mixture.from_parameters(
            weights, means=X[:N_COMPONENTS], covariances=covs
        )
        ours = Mixture(
            N_COMPONENTS,
            covariance=covariance,
            var_smoothing=0,
            max_iter=STEPS,
            tol=1e-30,
        )
        peer = GaussianMixture(
            N_COMPONENTS,
            covariance_type=theirs,
            reg_covar=0,
            tol=0,
            max_iter=STEPS,
            weights_init=weights,
            means_init=X[:N_COMPONENTS],
            precisions_init=covs,
        )
        size = f"{N_ROWS:,} x {N_COLUMNS}"
        report.task(
            f"{STEPS} steps, {N_COMPONENTS} {covariance} Gaussians, {size}",
            {
                OURS: (
                    partial(ours.fit, X, start=start),
                    lambda fitted: fitted.means_,
                ),
                "scikit-learn": (
                    partial(peer.fit, X),
                    lambda fitted: fitted.means_,
                ),
            },
            targets={"scikit-learn": 1},
            tolerance=1e-6,
        )


def kalman(report):
    """Time the filter of a trend with one observation a step."""
    size = 2000
    A, C = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    Q, R = np.diag([0.1, 0.01]), np.array([[1.0]])
    model = KalmanFilter(A, Q, C, R, mean=[0, 0], cov=np.eye(2))
    X, _ = model.sample(size, rng=0)
    engines = {OURS: (lambda: model.filter(X).mean, np.array)}
    if filterpy:

        def by_filterpy():
            peer = filterpy.KalmanFilter(2, 1)
            peer.F, peer.H, peer.Q, peer.R = A, C, Q, R
            peer.P = np.eye(2)
            means = []
            for t, x in enumerate(X):
                if t:
                    peer.predict()
                peer.update(x)
                means.append(peer.x[:, 0])
            return np.array(means)

        engines["filterpy"] = (by_filterpy, np.array)
    targets = dict.fromkeys(list(engines)[1:], 1)
    title = f"Kalman filter, {size:,} steps, 2 numbers in a state"
    report.task(title, engines, targets=targets, tolerance=1e-6)


SECTIONS = (symbols, training, mixtures, kalman)

if __name__ == "__main__":
    chosen = options(__doc__.splitlines()[0], SECTIONS).parse_args()
    describe_machine(
        "Mixtures and sequences, side by side",
        {"hmmlearn": hmm, "filterpy": filterpy},
    )
    Report(chosen.rounds).run(SECTIONS, chosen.only)
