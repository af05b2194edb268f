"""`RENDERERS: format -> render(results, judgements, baselines)`."""
