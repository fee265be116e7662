"""Semi-naive Bayes beside its peers: prints a table in Markdown.

The rows are drawn from a random tree-augmented naive Bayes with two classes.
Every engine gets them in the form that it likes best, and must give the same
answer before it is timed. `--only aode` runs one section, `--rounds 3` is
quicker than 7; `--cost FILE` instead writes how the seconds grow with rows,
columns, classes and states. Linux only, because of the memory.
"""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile
from contextlib import nullcontext
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from _side_by_side import (
    OURS,
    Report,
    describe_machine,
    measure,
    optional,
    options,
)
from sklearn import naive_bayes as sk

from bayesbook.naive_bayes import (
    AODE,
    KDB,
    SPODE,
    TAN,
    CategoricalNB,
)

COLUMNS = 40
NAMES = [f"x{j}" for j in range(COLUMNS)]
NUMBER = {name: j for j, name in enumerate([*NAMES, "y"])}
N_TRAINING, N_QUESTIONS = 50_000, 10_000
AODE_TRAINING = 40_000
WEKA_JAR = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))
WEKA_TAN = (
    "weka.classifiers.bayes.BayesNet -D -Q "
    "weka.classifiers.bayes.net.search.local.TAN -- -S ENTROPY -E "
    "weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 1"
)
WEKA_AODE = "weka.classifiers.bayes.AODE -F 30"
MODELS = {
    "NB": CategoricalNB,
    "SPODE": partial(SPODE, parent=0),
    "TAN": TAN,
    "AODE": AODE,
    "KDB(1)": partial(KDB, k=1),
    "KDB(2)": partial(KDB, k=2),
}
# The curves of cost: of which models, from where, and where they go.
COST_MODELS = ("NB", "SPODE", "TAN", "AODE", "KDB(2)")
BASE = {"n": 20_000, "d": COLUMNS, "K": 2, "S": 3}
GRID = {
    "n": (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000),
    "d": (10, 20, 40, 80, 160),
    "K": (2, 4, 8, 16),
    "S": (2, 3, 4, 8, 16),
}
# A point of a curve is the median of so many runs, or fewer: a task that has
# taken so many seconds is not run again.
COST_ROUNDS, COST_BUDGET = 5, 2

gum = optional("pyagrum")
skbn = optional("pyagrum.skbn")
pgmpy = optional("pgmpy.estimators")


def draw_tan(n, d, K, S, rng):
    """Draw rows from a random tree-augmented naive Bayes.

    Returns
    -------
    array of shape (n, d), array of shape (n,), list of d ints
        The rows, their classes, and the parent of each column beside the
        class; -1 for the root.
    """
    rng = np.random.default_rng(rng)
    y = rng.integers(0, K, n)
    X = np.empty((n, d), np.int8)
    parents = [-1, *(int(rng.integers(0, j)) for j in range(1, d))]
    for j, parent in enumerate(parents):
        states = S if parent >= 0 else 1
        cumulative = rng.dirichlet(np.full(S, 0.7), (K, states)).cumsum(axis=2)
        own = cumulative[y, X[:, parent] if parent >= 0 else 0, :-1]
        X[:, j] = (rng.random(n)[:, None] > own).sum(axis=1)
    return X, y, parents


@cache
def data():
    """Give rows and their classes, rows that are questions, the parents."""
    n = N_TRAINING
    X, y, parents = draw_tan(n + N_QUESTIONS, COLUMNS, 2, 3, 0)
    return X[:n], y[:n], X[n:], parents


def tree(edges):
    """Give the undirected edges as a matrix; nodes are named or numbered."""
    matrix = np.zeros((COLUMNS + 1, COLUMNS + 1))
    for ends in edges:
        a, b = (NUMBER.get(end, end) for end in ends)
        matrix[a, b] = matrix[b, a] = 1
    return matrix


def augmenting_tree(edges):
    """Give the tree among the columns, without the class."""
    matrix = tree(edges)
    matrix[NUMBER["y"]] = matrix[:, NUMBER["y"]] = 0
    return matrix


def fitted(model, X, y):
    """Train, and ask once, so that no table is left for later."""
    model.fit(X, y).predict_proba(X[:1])
    return model


def named(X, y, kind):
    """Give a data frame that begins with the class."""
    frame = pd.DataFrame(X.astype(kind), columns=NAMES)
    frame.insert(0, "y", y.astype(kind))
    return frame


def edges_of(parents):
    """Give the edges of a list of parents, by number."""
    return [(i, j) for j, own in enumerate(parents) for i in own]


def agrum_edges(net):
    """Give the edges by name."""
    return [[net.variable(end).name() for end in edge] for edge in net.arcs()]


def fit_agrum(frame, method):
    """Train its classifier.

    With two classes it would also search the best threshold for decisions
    over all rows, which takes ten times as long; here it is 0.5.
    """
    from pyagrum.skbn import bnclassifier

    bnclassifier.CThreshold = lambda *_: 0.5
    model = skbn.createBNClassifier(
        learningMethod=method, prior="Smoothing", priorWeight=1
    )
    return model.fit(frame[NAMES], frame["y"].astype(str))


def learn_agrum(frame, method):
    """Learn the structure and the tables only, from a frame of strings.

    This is the part of `fit_agrum` that is no reading, checking or writing
    of files.
    """
    from pyagrum.skbn import _learningMethods

    learner = gum.BNLearner(frame)
    learner.useSmoothingPrior(1)
    net = gum.BayesNet()
    for name in frame:
        states = learner.domainSize(name)
        net.add(gum.LabelizedVariable(name, name, states))
    X, y = frame[NAMES].to_numpy(), frame["y"].to_numpy()
    learn = getattr(_learningMethods, method)
    return learn(X, y, net, learner, NAMES, "y")


def search_pgmpy(frame, root, **how):
    """Find a tree; without processes beside this one, which are slower."""
    search = pgmpy.TreeSearch(frame, root_node=root, n_jobs=1)
    return search.estimate(show_progress=False, **how)


def fit_pgmpy(frame, edges):
    """Learn the tables of a structure with a pseudo-count of 1."""
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteBayesianEstimator

    net = DiscreteBayesianNetwork(edges)
    net.fit(frame, estimator=DiscreteBayesianEstimator(prior_type="K2"))
    return net


class Weka:
    """A classifier of Weka in a process of its own, warm already."""

    def __init__(self, X, y, questions, scheme):
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "rows.arff"
        rows = pd.DataFrame(np.vstack([X, questions]), columns=NAMES)
        # The class of a question is not looked at.
        rows["y"] = np.append(y, np.zeros(len(questions), y.dtype))
        with path.open("w") as file:
            print("@relation rows", file=file)
            for name, codes in rows.items():
                states = ",".join(map(str, range(codes.max() + 1)))
                print(f"@attribute {name} {{{states}}}", file=file)
            print("@data", file=file)
            rows.to_csv(file, header=False, index=False)
        self.n_questions = len(questions)
        program = Path(__file__).with_name("Weka.java")
        self.process = subprocess.Popen(
            [
                "java",
                "-cp",
                WEKA_JAR,
                program,
                path,
                str(len(X)),
                *scheme.split(),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        # Java compiles what it has run often enough.
        for _ in range(5):
            self.ask("fit")
            self.ask("predict")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def ask(self, command, n_lines=1):
        """Give the answer as lines of words."""
        print(command, file=self.process.stdin, flush=True)
        lines = [self.process.stdout.readline() for _ in range(n_lines)]
        if not all(lines):
            raise RuntimeError(f"Weka ended when it was asked to {command}.")
        return [line.split() for line in lines]

    def probabilities(self):
        """Give the posteriors of the last prediction."""
        return np.array(self.ask("probabilities", self.n_questions), float)

    def parents(self):
        """Give the parents of each column and of the class, by number."""
        lines = self.ask("parents", COLUMNS + 1)
        return [[int(parent) for parent in line] for line in lines]


def warm_weka(*arguments):
    """Give Weka, or None in its place."""
    return Weka(*arguments) if weka_version() else nullcontext()


def weka_version():
    """Give the version of Weka, or None if something is missing."""
    if not (WEKA_JAR.exists() and shutil.which("javac")):
        return None
    with zipfile.ZipFile(WEKA_JAR) as jar:
        return jar.read("weka/core/version.txt").decode().strip()


def tan_fit(report):
    """Compare the training of TAN on 50,000 x 40."""
    X, y, _, parents = data()
    numbers, words = named(X, y, np.int64), named(X, y, str)
    ours = fitted(TAN(), X, y)
    engines = {
        OURS: (
            lambda: fitted(ours, X, y),
            lambda model: augmenting_tree(edges_of(model.parents_)),
        )
    }
    if gum:
        engines["pyAgrum"] = (
            lambda: fit_agrum(numbers, "TAN"),
            lambda model: augmenting_tree(agrum_edges(model.bn_)),
        )
        engines["pyAgrum, structure and tables alone"] = (
            lambda: learn_agrum(words, "_fitTAN"),
            lambda net: augmenting_tree(agrum_edges(net)),
        )
    if pgmpy:
        of_ours = [(f"x{i}", f"x{j}") for i, j in edges_of(ours.parents_)]
        of_ours += [("y", name) for name in NAMES]
        engines["pgmpy, structure"] = (
            lambda: search_pgmpy(
                numbers, "x0", estimator_type="tan", class_node="y"
            ),
            lambda dag: augmenting_tree(dag.edges()),
        )
        engines["pgmpy, tables"] = (
            lambda: fit_pgmpy(numbers, of_ours),
            lambda net: augmenting_tree(net.edges()),
        )
    targets = {"pyAgrum": 25, "pgmpy, structure": 200}
    with warm_weka(X, y, X[:1], WEKA_TAN) as weka:
        if weka:
            engines["Weka"] = (
                lambda: weka.ask("fit"),
                lambda _: augmenting_tree(edges_of(weka.parents())),
            )
        report.task("TAN, 50,000 x 40: fit", engines, targets=targets)
    found = augmenting_tree(edges_of(ours.parents_))
    true = tree((parents[j], j) for j in range(1, COLUMNS))
    report.notes.append(
        f"TAN: every engine found the same tree; it has "
        f"{(found * true).sum() / 2:.0f} of the {COLUMNS - 1} edges that the "
        "rows were drawn with."
    )


def tan_predict(report):
    """Compare the posteriors of 10,000 rows under the same TAN."""
    X, y, questions, _ = data()
    if gum:
        theirs = fit_agrum(named(X, y, np.int64), "TAN")
        edges_of_theirs = agrum_edges(theirs.bn_)
        (root,) = set(NAMES) - {b for a, b in edges_of_theirs if a != "y"}
        frame = pd.DataFrame(questions.astype(np.int64), columns=NAMES)
        ours = TAN(root=NUMBER[root]).fit(X, y)
        report.task(
            "TAN, 10,000 x 40: predict_proba",
            {
                OURS: (lambda: ours.predict_proba(questions), np.asarray),
                "pyAgrum": (lambda: theirs.predict_proba(frame), np.asarray),
            },
            targets={"pyAgrum": 50},
        )
    with warm_weka(X, y, questions, WEKA_TAN) as weka:
        if weka:
            weka.ask("fit")
            # The root is the column that only the class points to.
            root = [len(own) for own in weka.parents()[:-1]].index(1)
            rooted = TAN(root=root).fit(X, y)
            report.task(
                f"TAN, root x{root}, 10,000 x 40: predict_proba",
                {
                    OURS: (
                        lambda: rooted.predict_proba(questions),
                        np.asarray,
                    ),
                    "Weka": (
                        lambda: weka.ask("predict"),
                        lambda _: weka.probabilities(),
                    ),
                },
            )


def aode(report):
    """Compare AODE, trained on 40,000 rows and asked for 10,000."""
    X, y, questions, _ = data()
    X, y = X[:AODE_TRAINING], y[:AODE_TRAINING]
    ours = AODE(m=30)
    fits = {OURS: (lambda: fitted(ours, X, y), lambda _: 0)}
    asks = {OURS: (lambda: ours.predict_proba(questions), np.asarray)}
    with warm_weka(X, y, questions, WEKA_AODE) as weka:
        if weka:
            fits["Weka"] = lambda: weka.ask("fit"), lambda _: 0
            asks["Weka"] = (
                lambda: weka.ask("predict"),
                lambda _: weka.probabilities(),
            )
        targets = {"Weka": 2}
        title = "AODE, 40,000 x 40: fit"
        report.task(title, fits, limit=0.1, targets=targets)
        title = "AODE, 10,000 x 40: predict_proba"
        report.task(title, asks, limit=0.15, targets=targets)


def family(report):
    """Time all models beside naive Bayes of scikit-learn."""
    X, y, questions, _ = data()
    models = {
        "scikit-learn, CategoricalNB": sk.CategoricalNB(),
        **{f"{OURS}, {name}": make() for name, make in MODELS.items()},
        f"{OURS}, SPODE, parent chosen": SPODE(),
    }
    time_models(report, "50,000 x 40", models, X, y, questions)


def a_million(report):
    """Time all models, and look at their memory, on a million rows."""
    X, y, _ = draw_tan(1_000_000, COLUMNS, 2, 3, 0)
    models = {f"{OURS}, {name}": make() for name, make in MODELS.items()}
    time_models(report, "1,000,000 x 40", models, X, y, X)


def time_models(report, size, models, X, y, questions):
    """Time models whose answers differ."""
    report.task(
        f"all models, {size}: fit",
        {
            name: (partial(fitted, model, X, y), lambda _: 0)
            for name, model in models.items()
        },
    )
    report.task(
        f"all models, {len(questions):,} x 40: predict_proba",
        {
            name: (partial(model.predict_proba, questions), lambda _: 0)
            for name, model in models.items()
        },
    )


def measure_costs(path):
    """Write the seconds of fit and predict_proba as they grow.

    One of n rows, d columns, K classes and S states varies; the rows that a
    model learned from are those that it is asked for.
    """
    rows = []
    for varied, values in GRID.items():
        for value in values:
            print(f"cost: {varied} = {value}", file=sys.stderr)
            X, y, _ = draw_tan(**BASE | {varied: value}, rng=0)
            tasks = {}
            for name in COST_MODELS:
                model = fitted(MODELS[name](), X, y)
                tasks["fit", name] = partial(fitted, MODELS[name](), X, y)
                tasks["predict", name] = partial(model.predict_proba, X)
            costs = measure(tasks, COST_ROUNDS, COST_BUDGET)
            rows += [
                (task, name, varied, value, f"{cost.seconds:.3g}")
                for (task, name), cost in costs.items()
            ]
    names = ["task", "model", "varied", "value", "seconds"]
    pd.DataFrame(rows, columns=names).to_csv(path, index=False)


SECTIONS = (tan_fit, tan_predict, aode, family, a_million)

if __name__ == "__main__":
    parser = options(__doc__, SECTIONS)
    parser.add_argument("--cost", metavar="FILE")
    arguments = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    if arguments.cost:
        measure_costs(arguments.cost)
    else:
        describe_machine(
            "Semi-naive Bayes beside its peers",
            {"pgmpy": pgmpy, "pyAgrum": gum, "Weka": weka_version()},
        )
        report = Report(arguments.rounds, elsewhere={"Weka"})
        report.run(SECTIONS, arguments.only)
