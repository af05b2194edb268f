"""The page that shows what each RFC says of a text, or how a reference resolves: gathered, then laid out."""
