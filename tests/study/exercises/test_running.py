"""An endless loop of a learner is stopped, and a function that ends is not.

In most tests the time of a call is over when the test says so, and not by a
clock: however busy the machine is, they show the same.
"""

import gc
import subprocess
import sys
import threading
import time
from contextlib import suppress
from fractions import Fraction as F

import pytest

from bayesbook.study.exercises import Exercise, check, diagnose

RATIO = Exercise(
    reference=lambda numbers, divisor: F(sum(numbers), divisor),
    cases=(([1, 2], 5), ([1, 3], 7), ([2, 4], 9)),
)
THREAD = threading.Thread


class Clock:
    """Time stands still while a function runs, until its time is over."""

    def __init__(self):
        self.over = threading.Event()  # set by a function in its loop
        self.allowed = []  # how long the checker was ready to wait
        self.calls = []

    def wait_for(self, call, seconds):
        self.calls.append(call)
        self.allowed.append(seconds)
        while call.is_alive() and not self.over.is_set():
            time.sleep(0.001)


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()

    class Call(THREAD):
        def join(self, timeout=None):
            clock.wait_for(self, timeout)

    monkeypatch.setattr(threading, "Thread", Call)
    yield clock
    for call in clock.calls:
        THREAD.join(call, timeout=60)
        assert not call.is_alive(), "a call is still running"


@pytest.fixture
def _no_thread_left():
    """Fail if a call of the test is still running after it."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=60)
        assert not thread.is_alive()


def test_an_endless_loop_is_stopped(clock):
    calls = []

    def endless(numbers, divisor):
        calls.append(divisor)
        clock.over.set()
        while True:
            pass

    report = diagnose(RATIO, endless, seconds=0.1)
    assert report.status == "failed"
    assert "It did not finish within 0.1 seconds" in report.message
    assert "a loop that never ends?" in report.message
    # The checker waits for one case, not for all three.
    assert calls == [5]
    assert clock.allowed == [0.1]


def test_a_learner_waits_two_seconds_for_an_endless_loop(clock):
    def posterior(prior, likelihood):
        clock.over.set()
        while True:
            pass

    report = check("events/posterior", posterior)
    assert "It did not finish within 2 seconds" in report.message
    assert clock.allowed == [2]


def test_a_function_that_ends_is_not_stopped(clock):
    """However long it takes: only the end of its time stops a call."""

    def slow(numbers, divisor):
        time.sleep(0.01)
        return F(sum(numbers), divisor)

    assert diagnose(RATIO, slow, seconds=1e-9).passed
    assert clock.allowed == [1e-9] * 3


def test_a_result_that_comes_too_late_does_not_count(clock):
    checked = threading.Event()

    def late(numbers, divisor):
        clock.over.set()
        checked.wait(timeout=60)
        return F(sum(numbers), divisor)

    report = diagnose(RATIO, late)
    checked.set()
    assert "did not finish" in report.message


@pytest.mark.usefixtures("_no_thread_left")
def test_a_loop_that_catches_every_exception_is_stopped():
    def stubborn(numbers, divisor):
        while True:
            with suppress(Exception):
                F(sum(numbers), 0)

    report = diagnose(RATIO, stubborn, seconds=0.1)
    assert "did not finish" in report.message


def test_a_call_may_end_just_in_time(capfd):
    """The thread of a call that has ended is not disturbed any more."""

    def one_millisecond():
        end = time.perf_counter() + 0.001
        while time.perf_counter() < end:
            pass

    one = Exercise(reference=lambda: 1, cases=((),))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    # Hypothesis times garbage collection in a callback: a call that is
    # stopped in there would leave an exception that nobody can catch.
    gc.disable()
    for function in (one_millisecond, lambda: None):
        for microseconds in range(0, 1500, 5):
            diagnose(one, function, seconds=microseconds / 1e6)
    gc.enable()
    sys.setswitchinterval(interval)
    assert capfd.readouterr().err == ""


def test_a_loop_that_is_endless_for_some_inputs_only(clock):
    def sometimes(numbers, divisor):
        while divisor == 7:
            clock.over.set()
        return F(sum(numbers), divisor)

    text = diagnose(RATIO, sometimes, seconds=0.1).message
    assert "1 of 2 cases differ (1 not tried)." in text
    assert "did not finish" in text
    assert text.endswith("sometimes([1, 3], 7)")


@pytest.mark.usefixtures("_no_thread_left")
def test_the_time_that_was_given_is_told():
    def endless(numbers, divisor):
        while True:
            pass

    text = diagnose(RATIO, endless, seconds=0.05).message
    assert "did not finish within 0.05 seconds" in text


def test_a_call_that_cannot_be_stopped_does_not_keep_python_from_ending():
    program = """
import time
from bayesbook.study.exercises import Exercise, diagnose

ratio = Exercise(reference=lambda a, b: a / b, cases=((1, 2), (3, 4)))
print(diagnose(ratio, lambda a, b: time.sleep(3600), seconds=0.1).status)
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert run.stdout == "failed\n"
