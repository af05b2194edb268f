export { Rejected, SAME_DOCUMENT, Unsupported } from './lib/operations.js';
export { run } from './lib/runner.js';
