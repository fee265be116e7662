"""Directed acyclic graphs, and the independences that they stand for.

A directed acyclic graph (DAG) says how a joint probability is a product, one
factor P(node | parents) for each node. Which variables are then independent
given which others, whatever the numbers are, can be read off the graph:

>>> graph = parse("Rain -> Wet <- Sprinkler, Wet -> Slippery")
>>> product_formula(graph)
'P(Rain) P(Sprinkler) P(Wet | Rain, Sprinkler) P(Slippery | Wet)'
>>> d_separated(graph, "Rain", "Sprinkler")
True
>>> print(explain(graph, "Rain", "Sprinkler", given="Slippery"))
Rain and Sprinkler are not d-separated given Slippery: the trail \
Rain → Wet ← Sprinkler is open, because the collider Wet has the observed \
descendant Slippery.
  Rain → Wet ← Sprinkler: open, because the collider Wet has the observed \
descendant Slippery

=============================  ==============================================
:func:`parse` and others       making graphs: from text, checked, at random
:func:`topological_order`      orders, and the product of factors along one
:func:`factorise`              from tables to graphs and back
:func:`explain`                trails, and why they are open or blocked
:func:`d_separated`            d-separation, moral graphs, Markov blankets
:func:`local_markov`           lists of independences
:func:`cpdag` and others       Markov equivalence
:func:`compare`                a learned graph beside the true one
=============================  ==============================================

Graphs are :class:`networkx.DiGraph`; nodes are usually strings. Wherever a
function takes nodes, give one node or a collection of them. Functions of a
DAG check it with :func:`check_dag`. Results do not depend on the order in
which a graph was built: nodes come alphabetically, X2 before X10.
"""

from bayesbook.graphs.comparison import (
    Comparison,
    Edge,
    compare,
    structural_hamming_distance,
)
from bayesbook.graphs.equivalence import (
    apply_meek_rules,
    consistent_extension,
    cpdag,
    equivalence_class,
    markov_equivalent,
    skeleton,
    v_structures,
)
from bayesbook.graphs.explanation import (
    Explanation,
    Junction,
    Trail,
    explain,
    trails,
)
from bayesbook.graphs.factorisation import (
    ancestral_sample,
    chain_rule,
    factorise,
    graph_of,
    random_tables,
)
from bayesbook.graphs.independence import (
    Independence,
    independences,
    local_markov,
)
from bayesbook.graphs.orders import (
    product_formula,
    topological_order,
    topological_orders,
)
from bayesbook.graphs.parsing import check_dag, parse, random_dag
from bayesbook.graphs.separation import (
    active_trail,
    ancestral_moral_graph,
    ancestral_set,
    d_connected_to,
    d_separated,
    d_separated_by_moralisation,
    markov_blanket,
    moral_graph,
    separated_in_whole_moral_graph,
)

__all__ = [
    "Comparison",
    "Edge",
    "Explanation",
    "Independence",
    "Junction",
    "Trail",
    "active_trail",
    "ancestral_moral_graph",
    "ancestral_sample",
    "ancestral_set",
    "apply_meek_rules",
    "chain_rule",
    "check_dag",
    "compare",
    "consistent_extension",
    "cpdag",
    "d_connected_to",
    "d_separated",
    "d_separated_by_moralisation",
    "equivalence_class",
    "explain",
    "factorise",
    "graph_of",
    "independences",
    "local_markov",
    "markov_blanket",
    "markov_equivalent",
    "moral_graph",
    "parse",
    "product_formula",
    "random_dag",
    "random_tables",
    "separated_in_whole_moral_graph",
    "skeleton",
    "structural_hamming_distance",
    "topological_order",
    "topological_orders",
    "trails",
    "v_structures",
]
