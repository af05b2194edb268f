"""The bundle: the corpus as flat files of JSON, with the rules by which a runner in any language judges."""
