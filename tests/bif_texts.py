"""Texts in BIF, and when two networks are the same."""

import pytest

from bayesbook.base import BIFError
from bayesbook.network import parse_bif

# As the program JavaBayes wrote it: no commas, no bar, everything in quotes,
# tables with parents. Charniak's numbers (Bayesian Networks without Tears,
# AI Magazine 12, 1991): P(light on | family out) = 0.6, else 0.05;
# P(dog out | bowel problem, family out) = 0.99, 0.97 (family in), without
# the problem 0.9 and 0.3; P(hear bark | dog out) = 0.7, else 0.01.
DOG = """
// Bayesian Network in the Interchange Format
network "Dog-Problem" { //5 variables and 5 probability distributions
        property "credal-set constant-density-bounded 1.1" ;
}
variable  "light-on" { //2 values
        type discrete[2] {  "true"  "false" };
        property "position = (218, 195); {" ;
}
variable  "bowel-problem" { /* 2
   values */
        type discrete[2] {  "true"  "false" };
}
probability (  "dog-out"  "bowel-problem"  "family-out" ) { //8 values
        table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ;
}
variable  "dog-out" { type discrete[2] {  "true"  "false" }; }
variable  "hear-bark" { type discrete[2] {  "true"  "false" }; }
variable  "family-out" { type discrete[2] {  "true"  "false" } }
probability (  "light-on"  "family-out" ) {
        (true) 0.6 0.4 ;
        property position = (218, 195) ;
        ("false") 0.05 0.95 ;
}
probability (  "bowel-problem" ) { table 0.01 0.99 ; }
probability (  "hear-bark"  "dog-out" ) { table 0.7 0.01 0.3 0.99 ; }
probability (  "family-out" ) { table 0.15 0.85 ; }
"""
COIN = """network coin {
}
variable a {
  type discrete [ 2 ] { h, t };
}
variable b {
  type discrete [ 3 ] { x, y, z };
}
probability ( a ) {
  table 0.25, 0.75;
}
probability ( b | a ) {
  (h) 0.1, 0.2, 0.7;
  (t) 0.5, 0.5, 0;
}
"""
ONE = "variable x { type discrete [ 1 ] { s }; } "


def exactly_equal(one, other):
    """Everything, the order and the last bit of all numbers included."""
    return (
        one.name == other.name
        and one.nodes == other.nodes
        and dict(one.states) == dict(other.states)
        and all(
            table.variables == other.tables[node].variables
            and table.values.dtype == other.tables[node].values.dtype
            and table.values.tolist() == other.tables[node].values.tolist()
            for node, table in one.tables.items()
        )
    )


def error_of(text, **options):
    with pytest.raises(BIFError) as caught:
        parse_bif(text, **options)
    return caught.value
