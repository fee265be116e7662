"""Run a learner's function, and stop it when its time is over."""

import copy
import ctypes
import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Function = Callable[..., Any]


class Endless:
    """The result of a call that did not end in time."""


class _Stop(BaseException):
    """Raised inside a learner's function to end it."""


@dataclass(frozen=True)
class Raised:
    """The result of a call that raised an exception."""

    error: BaseException
    line: int | None


def call_on_copies(function: Function, arguments: tuple) -> Any:
    """Call a function of the book, which ends, on copies of the arguments."""
    try:
        return function(*copy.deepcopy(arguments))
    except Exception as error:
        return Raised(error, line=None)


def run(function: Function, arguments: tuple, seconds: float) -> Any:
    """Call a learner's function on copies of the arguments, for some time.

    The call has a thread of its own, because a thread can be left behind
    when its time is over. An exception in the thread stops it; a loop that
    catches even that ends with the kernel. A call of C that never returns,
    such as ``sum(itertools.repeat(0))``, cannot be stopped like this: it
    blocks the kernel itself.
    """
    # The first one counts: a result, or that the time is over.
    outcomes: list[Any] = []
    begun, lock = threading.Event(), threading.Lock()

    def call() -> None:
        # _Stop may arrive anywhere between begun.set() and the end of `try`.
        try:
            begun.set()
            outcome = _outcome(function, copy.deepcopy(arguments))
            with lock:
                outcomes.append(outcome)
            while outcomes[0] is not outcome:
                pass  # _Stop is on its way.
        except _Stop:
            pass

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    begun.wait()
    thread.join(seconds)
    with lock:
        if not outcomes:
            outcomes.append(Endless())
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Stop)
            )
    return outcomes[0]


def _outcome(function: Function, arguments: tuple) -> Any:
    try:
        return function(*arguments)
    except _Stop:
        raise
    # Not only an Exception: exit() raises SystemExit, for instance.
    except BaseException as error:
        return Raised(error, _line_of(error, function))


def _line_of(error: BaseException, function: Function) -> int | None:
    """Return the line in the function's source, decorators included."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    trace = error.__traceback__
    line = None
    while trace is not None:
        if trace.tb_frame.f_code is code:
            line = trace.tb_lineno - code.co_firstlineno + 1
        trace = trace.tb_next
    return line
