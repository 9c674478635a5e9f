"""An asyncio client of NovaBlend: `async with NovaBlend(...)` starts `novablend serve` and ends it."""

from ._errors import CallCancelledError as CallCancelledError
from ._errors import CallError as CallError
from ._errors import CancelledTooLateError as CancelledTooLateError
from ._errors import ClientClosedError as ClientClosedError
from ._errors import DeadlineExceededError as DeadlineExceededError
from ._errors import InputEndedError as InputEndedError
from ._errors import InvalidParamsError as InvalidParamsError
from ._errors import NovaBlendError as NovaBlendError
from ._errors import OverloadedError as OverloadedError
from ._errors import ProgramEndedError as ProgramEndedError
from ._errors import ProgramMissingError as ProgramMissingError
from ._errors import ProgramTooOldError as ProgramTooOldError
from ._program import find_program as find_program
from .errors import *
from .methods import NovaBlend as NovaBlend
from .types import *
