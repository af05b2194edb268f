"""Generated texts: texts on request in this package, and the generated tiers in `tiers`.

The package may import `results`, `corpus`, `batch`, the modules below them, and `urloracle`. Only `compiled`,
`columns`, `recognition` and `parquet` need the libraries of the batch engine; they are imported where these
are installed.
"""
