"""`re` patterns of rules that do not backtrack.  Imports `grammar` and `automata`."""
