"""Naive Bayes beside its peers: prints a table in Markdown.

Every engine gets the rows in the form that it likes best, does the same work,
and must give the same answer before it is timed. `--only documents` runs one
section, `--rounds 3` is quicker than 7. Linux only, because of the memory.
"""

import logging
import warnings
from functools import partial

import numpy as np
import pandas as pd
from _side_by_side import (
    OURS,
    Report,
    describe_machine,
    optional,
    options,
)
from scipy import optimize, sparse, special
from sklearn import naive_bayes as sk

from bayesbook import naive_bayes as bb
from bayesbook.conjugate import dcm_log_prob, fit_dcm

SKLEARN = "scikit-learn"
# As scikit-learn, whose class probabilities are not smoothed.
LIKE_SKLEARN = {"class_alpha": 0}

mixed_naive_bayes = optional("mixed_naive_bayes")
pgmpy_models = optional("pgmpy.models")
gum = optional("pyagrum")


# The engines do the same: fitting includes the table of logarithms, which
# ours computes only when somebody asks for it.
def log_table(model):
    """Give log p(x | c), all columns side by side."""
    table = model.feature_log_prob_
    return np.hstack(table) if isinstance(table, list) else table


def moments(model):
    """Give means and variances."""
    return np.hstack([model.theta_, model.var_])


def fitted(model, X, y, read):
    """Give an engine that trains, and reads what was learned."""
    return lambda: read(model.fit(X, y)), np.asarray


def predicted(model, X):
    """Give an engine that predicts logarithms of probabilities."""
    return lambda: model.predict_log_proba(X), np.asarray


def in_pieces(model, X, y, size, read):
    """Give an engine that learns piece by piece, and is asked at the end."""
    classes = np.unique(y)

    def run():
        for attribute in [name for name in vars(model) if name[-1] == "_"]:
            delattr(model, attribute)
        for start in range(0, len(y), size):
            piece = slice(start, start + size)
            model.partial_fit(X[piece], y[piece], classes=classes)
        return read(model)

    return run, np.asarray


def row_by_row(model, X, y, read, rows=200):
    """Give an engine that learns rows one by one, beside all others."""
    model.fit(X, y)

    def run():
        for i in range(rows):
            model.partial_fit(X[i : i + 1], y[i : i + 1])
        return read(model)

    return run, np.asarray


def draw_categories(n, columns, n_classes, rng):
    """Draw rows with four states in every column."""
    y = rng.integers(0, n_classes, n)
    cumulative = rng.dirichlet(np.ones(4), (n_classes, columns)).cumsum(axis=2)
    X = np.empty((n, columns), np.int8)
    for m in range(columns):
        X[:, m] = (rng.random(n)[:, None] > cumulative[y, m, :3]).sum(axis=1)
    return X, y


def draw_documents(n, words, n_classes, length, rng):
    """Draw documents of classes, each with a distribution like Zipf's."""
    y = rng.integers(0, n_classes, n)
    base = 1 / (np.arange(words) + 10)
    columns = np.empty((n, length), np.int32)
    for k in range(n_classes):
        p = base * rng.gamma(0.5, 2, words)
        members = np.flatnonzero(y == k)
        columns[members] = rng.choice(
            words, (len(members), length), p=p / p.sum()
        )
    rows = np.repeat(np.arange(n), length)
    X = sparse.csr_matrix(
        (np.ones(n * length), (rows, columns.ravel())), shape=(n, words)
    )
    return X, y


def fit_and_predict(
    report, title, ours, theirs, X, y, *, targets, read=log_table
):
    """Compare with scikit-learn in training and in prediction."""
    engines = {OURS: ours, SKLEARN: theirs}
    report.task(
        title + "fit",
        {name: fitted(own, X, y, read) for name, own in engines.items()},
        targets={SKLEARN: targets[0]},
    )
    report.task(
        title + "predict_log_proba",
        {name: predicted(own, X) for name, own in engines.items()},
        targets={SKLEARN: targets[1]},
    )


def categorical(report):
    """Compare on 200,000 rows of 200 columns with four states, 10 classes."""
    X, y = draw_categories(200_000, 200, 10, np.random.default_rng(1))
    ours = bb.CategoricalNB(**LIKE_SKLEARN)
    theirs = sk.CategoricalNB()
    title = "categorical, 200,000 x 200: "
    fit_and_predict(report, title, ours, theirs, X, y, targets=(10, 10))


def named_columns(X, y):
    """Give a data frame with the class as a column."""
    frame = pd.DataFrame(X.astype(np.int64)).add_prefix("x")
    return frame.assign(y=y)


def fit_agrum(frame):
    """Learn the tables of naive Bayes with a pseudo-count of 1."""
    learner = gum.BNLearner(frame)
    learner.useSmoothingPrior(1)
    dag = gum.DAG()
    dag.addNodes(frame.shape[1])
    for m in range(frame.shape[1] - 1):
        dag.addArc(frame.shape[1] - 1, m)
    return learner.learnParameters(dag)


def read_agrum(net, frame):
    """Give the tables, sorted by state."""
    classes = np.argsort([int(k) for k in net.variable("y").labels()])
    tables = []
    for name in frame.columns[:-1]:
        order = np.argsort([int(s) for s in net.variable(name).labels()])
        tables.append(net.cpt(name)[:][classes][:, order])
    return np.log(np.hstack(tables))


def fit_pgmpy(frame):
    """Learn the tables of naive Bayes with a pseudo-count of 1."""
    from pgmpy.parameter_estimator import DiscreteBayesianEstimator

    model = pgmpy_models.NaiveBayes(list(frame.columns[:-1]), "y")
    model.fit(frame, estimator=DiscreteBayesianEstimator(prior_type="K2"))
    return model


def read_pgmpy(model, frame):
    """Give the tables; the states are sorted."""
    tables = [
        model.get_cpds(name).get_values().T for name in frame.columns[:-1]
    ]
    return np.log(np.hstack(tables))


def bernoulli(report):
    """Compare on the same rows, made binary."""
    X, y = draw_categories(200_000, 200, 10, np.random.default_rng(1))
    X = (X > 1).astype(np.int8)
    ours = bb.BernoulliNB(**LIKE_SKLEARN)
    theirs = sk.BernoulliNB()
    # Checks that all are 0 or 1, where scikit-learn's believes it.
    strict = bb.BernoulliNB(binarize=None, **LIKE_SKLEARN)
    trusting = sk.BernoulliNB(binarize=None)
    for what, mine, other in (
        ("", ours, theirs),
        (", binarize=None", strict, trusting),
    ):
        title = f"Bernoulli, 200,000 x 200{what}: "
        fit_and_predict(report, title, mine, other, X, y, targets=(10, None))


def gaussian(report):
    """Compare on 200,000 rows of 200 measurements, 10 classes."""
    rng = np.random.default_rng(1)
    X, y = draw_categories(200_000, 200, 10, rng)
    X = X + rng.normal(0, 0.3, X.shape)
    ours = bb.GaussianNB(**LIKE_SKLEARN)
    theirs = sk.GaussianNB()
    title = "Gaussian, 200,000 x 200: "
    fit_and_predict(
        report, title, ours, theirs, X, y, targets=(None, 5), read=moments
    )


def documents(report):
    """Compare on 100,000 sparse documents of 50,000 words, 20 classes."""
    X, y = draw_documents(100_000, 50_000, 20, 130, np.random.default_rng(2))
    for name in ("MultinomialNB", "BernoulliNB"):
        ours = getattr(bb, name)(**LIKE_SKLEARN)
        theirs = getattr(sk, name)()
        title = f"{name[:-2]}, sparse 100,000 x 50,000: "
        fit_and_predict(report, title, ours, theirs, X, y, targets=(1.7, 1))
        report.task(
            title + "predict",
            {
                OURS: (lambda m=ours: m.predict(X), np.asarray),
                SKLEARN: (lambda m=theirs: m.predict(X), np.asarray),
            },
            targets={SKLEARN: 1},
        )
        report.task(
            title + "partial_fit, 100 batches",
            {
                OURS: in_pieces(ours, X, y, 1000, log_table),
                SKLEARN: in_pieces(theirs, X, y, 1000, log_table),
            },
            targets={SKLEARN: 3},
        )


def single_rows(report):
    """Compare on 200 rows learned one by one after 10,000 x 100, 5 classes."""
    rng = np.random.default_rng(0)
    n, columns, n_classes = 10_000, 100, 5
    categories, y = draw_categories(n, columns, n_classes, rng)
    rates = rng.gamma(1, 1, (n_classes, columns))
    counts = rng.poisson(rates[y])
    means = rng.normal(0, 1, (n_classes, columns))
    numbers = rng.normal(means[y])
    for name, X, read in (
        ("BernoulliNB", (categories > 1).astype(np.int8), log_table),
        ("CategoricalNB", categories, log_table),
        ("MultinomialNB", counts, log_table),
        ("GaussianNB", numbers, moments),
    ):
        report.task(
            f"{name[:-2]}, 10,000 x 100: partial_fit of 200 single rows",
            {
                OURS: row_by_row(
                    getattr(bb, name)(**LIKE_SKLEARN), X, y, read
                ),
                SKLEARN: row_by_row(getattr(sk, name)(), X, y, read),
            },
            targets={SKLEARN: 5},
        )
    report.task(
        "lazy, 10,000 x 100: partial_fit of 200 single rows",
        {
            OURS: row_by_row(
                bb.LazyNB(**LIKE_SKLEARN), categories, y, lambda m: 0
            ),
            SKLEARN: row_by_row(
                sk.CategoricalNB(), categories, y, lambda m: 0
            ),
        },
        targets={SKLEARN: 5},
    )


def several_kinds(report):
    """Compare on 50 categories and 50 measurements, and on small data."""
    rng = np.random.default_rng(0)
    categories, y = draw_categories(10_000, 100, 5, rng)
    numbers = rng.normal(rng.normal(0, 1, (5, 50))[y])
    X = np.hstack([categories[:, :50], numbers])
    first, last = list(range(50)), list(range(50, 100))
    ours = bb.MixedNB(
        [
            ("categories", bb.CategoricalNB(), first),
            ("numbers", bb.GaussianNB(var_smoothing=0), last),
        ],
        **LIKE_SKLEARN,
    )
    parts = sk.CategoricalNB(), sk.GaussianNB(var_smoothing=0)
    codes = categories[:, :50]

    def fit_parts():
        parts[0].fit(codes, y)
        parts[1].fit(numbers, y)

    def predict_parts():
        joint = sum(
            part.predict_joint_log_proba(own)
            for part, own in zip(parts, (codes, numbers), strict=True)
        )
        joint -= parts[0].class_log_prior_
        return joint - special.logsumexp(joint, axis=1, keepdims=True)

    two = "scikit-learn, two models"
    fits = {
        OURS: (lambda: ours.fit(X, y), lambda m: 0),
        two: (fit_parts, lambda m: 0),
    }
    asks = {OURS: predicted(ours, X), two: (predict_parts, np.asarray)}
    if mixed_naive_bayes:
        make = partial(
            mixed_naive_bayes.MixedNB, first, alpha=1.0, var_smoothing=0
        )
        mixed = make().fit(X, y)
        name = "mixed-naive-bayes"
        fits[name] = (lambda: make().fit(X, y), lambda m: 0)
        asks[name] = (lambda: mixed.predict_proba(X), log_or_underflow)
    title = "mixed, 10,000 x (50 + 50): "
    report.task(title + "fit", fits, peer=two)
    report.task(title + "predict_log_proba", asks, peer=two)


def log_or_underflow(p):
    """Give logarithms; products of densities may have become zero."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def peers(report):
    """Compare with peers that need minutes for the large data."""
    X, y = draw_categories(10_000, 100, 5, np.random.default_rng(0))
    frame = named_columns(X, y)
    ours = bb.CategoricalNB()
    engines = {OURS: fitted(ours, X, y, log_table)}
    if mixed_naive_bayes:
        wide = X.astype(np.int64)
        # It cannot be fitted twice.
        make = partial(mixed_naive_bayes.MixedNB, "all", alpha=1.0)
        engines["mixed-naive-bayes"] = (
            lambda: make().fit(wide, y),
            lambda model: np.log(np.hstack(model.categorical_posteriors)),
        )
    if gum:
        engines["pyAgrum"] = (
            lambda: fit_agrum(frame),
            lambda net: read_agrum(net, frame),
        )
    if pgmpy_models:
        engines["pgmpy"] = (
            lambda: fit_pgmpy(frame),
            lambda model: read_pgmpy(model, frame),
        )
    report.task("categorical, 10,000 x 100: fit", engines)
    few = X[:100]
    questions = frame.drop(columns="y")[:100]
    engines = {OURS: (lambda: ours.predict_proba(few), np.asarray)}
    if mixed_naive_bayes:
        prior = np.exp(ours.class_log_prior_)
        mixed = make(priors=prior).fit(wide, y)
        engines["mixed-naive-bayes"] = (
            lambda: mixed.predict_proba(few),
            np.asarray,
        )
    if gum:
        from pyagrum import skbn

        classifier = skbn.createBNClassifier(
            learningMethod="NaiveBayes", prior="Smoothing", priorWeight=1
        )
        classifier.fit(frame.drop(columns="y"), frame["y"].astype(str))
        engines["pyAgrum"] = (
            lambda: classifier.predict_proba(questions),
            np.asarray,
        )
    if pgmpy_models:
        trained = fit_pgmpy(frame)
        # The predict_probability of its NaiveBayes raises a TypeError.
        net = pgmpy_models.DiscreteBayesianNetwork(trained.edges())
        net.add_cpds(*trained.cpds)
        engines["pgmpy"] = (
            lambda: net.predict_probability(questions),
            np.asarray,
        )
    report.task("categorical, 100 x 100: predict_proba", engines)


def dcm(report):
    """Compare the maximum of the DCM likelihood, 2,000 x 5,000."""
    rng = np.random.default_rng(0)
    n, words = 2_000, 5_000
    mean = 1 / (np.arange(words) + 10)
    p = rng.standard_gamma(100 * mean / mean.sum(), (n, words))
    lengths = rng.poisson(200, n) + 1
    X = rng.multinomial(lengths, p / p.sum(axis=1, keepdims=True))
    X = X[:, X.any(axis=0)]
    X_sparse = sparse.csr_array(X)

    def log_likelihood(alpha):
        return dcm_log_prob(X_sparse, alpha).sum()

    engines = {
        OURS: (lambda: fit_dcm(X_sparse).alpha, log_likelihood),
        "scipy, L-BFGS-B": (lambda: fit_scipy(X_sparse), log_likelihood),
    }
    title = "DCM, 2,000 x 5,000: maximum likelihood"
    peer = "scipy, L-BFGS-B"
    # The likelihood may be greater than the peer's, and is, by a little.
    report.task(title, engines, limit=0.5, tolerance=1e-6, peer=peer)


def fit_scipy(X):
    """Maximise the likelihood in the logarithms of alpha."""
    lengths = X.sum(axis=1)

    def objective(logs):
        alpha = np.exp(logs)
        own, total = alpha[X.indices], alpha.sum()
        value = (special.gammaln(own + X.data) - special.gammaln(own)).sum()
        value -= (
            special.gammaln(total + lengths) - special.gammaln(total)
        ).sum()
        slope = np.bincount(
            X.indices, special.psi(own + X.data) - special.psi(own)
        )
        slope -= (special.psi(total + lengths) - special.psi(total)).sum()
        return -value, -slope * alpha

    share = X.sum(axis=0) / X.sum()
    found = optimize.minimize(
        objective,
        np.log(100 * share),
        jac=True,
        method="L-BFGS-B",
        options={
            "maxiter": 10_000,
            "maxfun": 20_000,
            "gtol": 1e-4,
            "ftol": 1e-15,
        },
    )
    return np.exp(found.x)


SECTIONS = (
    categorical,
    bernoulli,
    gaussian,
    documents,
    single_rows,
    several_kinds,
    peers,
    dcm,
)

if __name__ == "__main__":
    arguments = options(__doc__, SECTIONS).parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    describe_machine(
        "Naive Bayes beside its peers",
        {
            "mixed-naive-bayes": mixed_naive_bayes,
            "pgmpy": pgmpy_models,
            "pyAgrum": gum,
        },
    )
    Report(arguments.rounds, SKLEARN).run(SECTIONS, arguments.only)
