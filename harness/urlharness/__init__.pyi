from urlharness.api import Report as Report
from urlharness.api import assert_conforms as assert_conforms
from urlharness.api import functions as functions
from urlharness.api import run as run
from urlharness.api import stream as stream

__version__: str
__all__ = ["Report", "__version__", "assert_conforms", "functions", "run", "stream"]
