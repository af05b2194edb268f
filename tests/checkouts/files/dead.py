"""An adapter that ends before it says hello."""

import sys

sys.exit("no library here")
