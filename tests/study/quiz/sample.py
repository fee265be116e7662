"""A bank with every kind of question, for the tests of quizzes."""

import yaml

TEXT = r"""
chapter: sample
title: "Check yourself: a test & what it says"
setup: |
  from fractions import Fraction as F
  prior, hit, alarm = F(1, 100), F(9, 10), F(9, 100)
  evidence = prior * hit + (1 - prior) * alarm
questions:
  - id: bayes-rule
    kind: single
    level: recall
    prompt: |
      Which expression equals $P(A \mid B)$ whenever $P(B) > 0$?
    options:
      - text: $\dfrac{P(B \mid A)\,P(A)}{P(B)}$
        right: true
        check: prior * hit / evidence == F(10, 109)
        why: |
          Both sides times $P(B)$ are $P(A \cap B)$:
          $$P(A \mid B)\,P(B) = P(A \cap B) = P(B \mid A)\,P(A).$$
      - text: $P(B \mid A)$
        check: hit == F(10, 109)
        why: |
          This *transposes* the conditional. Here `P(B | A)` is
          $\tfrac{9}{10}$, a property of the test and not of the patient.
      - text: $\dfrac{P(B \mid A)}{P(B)}$
        check: hit / evidence == F(10, 109)
        why: The prior is missing; here this would even be $> 1$.
  - id: what-holds
    kind: multiple
    level: understand
    prompt: |
      A test costs \$5. It finds 90% of the ill & alarms for 9% of the
      healthy, as in

      ```python
      posterior = P(ill, given=positive)  # $not maths$
      ```

      Which of these hold?
    why_check: [(1 - prior) / prior]
    options:
      - text: More healthy people than ill people test positive.
        right: true
        check: (1 - prior) * alarm > prior * hit
        why: Healthy people are 99 times as many.
      - text: A positive result makes illness more probable than before.
        right: true
        check: prior * hit / evidence > prior
        why: The ill test positive ten times as often.
      - text: A positive result makes illness more probable than not.
        check: prior * hit / evidence > F(1, 2)
        why: The posterior is only about 9%. You forgot the base rate.
      - text: The test is right in fewer than half of all cases.
        check: prior * hit + (1 - prior) * (1 - alarm) < F(1, 2)
        why: It is right for 90% of the ill and 91% of the healthy.
  - id: posterior
    kind: number
    level: apply
    prompt: |
      One person in a hundred is ill. What is $P(\text{ill} \mid +)$?
    why_check: [1 - prior]
    answer: 10/109
    tolerance: 0.0005
    check: prior * hit / evidence
    why: |
      $$\frac{0.01 \cdot 0.9}{0.01 \cdot 0.9 + 0.99 \cdot 0.09} = 0.0917$$
    wrong:
      - value: 0.9
        check: hit
        why: This is $P(+ \mid \text{ill})$, the conditional the other way.
      - value: 0.009
        check: prior * hit
        why: This is the joint $P(\text{ill}, +)$; divide it by $P(+)$.
  - id: share
    kind: number
    level: transfer
    prompt: How many per cent of all people test positive?
    setup: people = 10_000
    why_check: ["people * prior * hit, people * (1 - prior) * alarm"]
    answer: 9.81
    tolerance: 0.01
    unit: "%"
    check: 100 * evidence
    why: Of 10 000 people 90 ill and 891 healthy ones do.
    wrong:
      - value: 0.9
        check: 100 * prior * hit
        why: These are only the ill ones.
  - id: by-hand
    kind: order
    level: analyse
    prompt: Put the calculation of a posterior in order.
    steps:
      - text: Write down the prior $P(H)$.
        value: 0
      - text: Multiply by the likelihood $P(E \mid H)$.
        value: 1
      - text: Sum the products to get $P(E)$.
        value: 2
      - text: Divide each product by the sum.
        value: 3
    check: order == sorted(order)
    why: Each step needs the result of the one before.
"""


def sample():
    return yaml.safe_load(TEXT)


def question(data, name):
    return next(q for q in data["questions"] if q["id"] == name)
