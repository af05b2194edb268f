#!/bin/sh
cat >>exec-questions.jsonl
exit 1
