"""The exceptions of the package. Their texts are those that the command ``frit`` prints."""


class FritillaryError(Exception):
    """Something that the package refuses or cannot do. The text says what was given, what is allowed, and what to do."""


class UsageError(FritillaryError, ValueError):
    """Unusable input: where the command ``frit`` ends with exit code 2."""


class MissingToolError(FritillaryError):
    """A tool is missing: where the command ``frit`` ends with exit code 3."""
