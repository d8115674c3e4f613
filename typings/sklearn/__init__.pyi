# scikit-learn ships no types. Only the names that Assay imports are declared here: public ones, so that an
# import of a private name is an error of the type checker.
from contextlib import AbstractContextManager

__version__: str

def config_context(*, enable_metadata_routing: bool | None = None) -> AbstractContextManager[None]: ...
