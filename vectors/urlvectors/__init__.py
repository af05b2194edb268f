"""The urlconform corpus: JSON vectors, requirement catalogues and their JSON Schemas."""
