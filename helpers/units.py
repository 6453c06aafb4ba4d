"""Times and sizes as readers say them."""


def duration(seconds: float) -> str:
    """Format a time: `0.52 s`, `7.3 s`, `45 s`, `1 min 12 s`, `1 h 3 min`."""
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def whole_seconds(seconds: float) -> str:
    """The same without fractions, for displays that count upwards: `7 s`, `1 min 12 s`."""
    return duration(int(seconds)) if seconds >= 10 else f"{int(seconds)} s"


def megabytes(size: int) -> str:
    """Format a number of bytes in MB of 1,000,000 bytes: `304 MB`."""
    return f"{size / 1e6:,.0f} MB" if size >= 10_000_000 else f"{size / 1e6:.1f} MB"
