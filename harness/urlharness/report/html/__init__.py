"""The report as one HTML file; `assets` contains its templates, script and style sheets.

The package may import what `report` may import, and `report.failures` and `report.summary`.
"""
