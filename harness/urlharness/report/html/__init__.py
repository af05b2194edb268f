"""The report as one HTML file; `assets` has its templates, script and style sheets.

The package imports what `report` imports, and `report.failures` and `report.summary`.
"""
