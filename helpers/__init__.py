"""The Python side of the workbook: the magic, the data, the measurements."""
