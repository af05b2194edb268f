"""Is ended by SIGKILL."""

import os
import signal

from honest import converse

converse(lambda _: os.kill(os.getpid(), signal.SIGKILL))
