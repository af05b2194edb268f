"""The report as one HTML file. The folder `assets` contains its templates, script and style sheets.

The package may import `report.failures`, `report.summary`, and whatever `report` may import.
"""
