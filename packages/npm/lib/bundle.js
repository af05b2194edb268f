import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const BUNDLE = new URL('../bundle/', import.meta.url);

/** Returns the manifest: which corpus the package has, and in which files. */
export function readManifest() {
  try {
    return JSON.parse(readFileSync(new URL('manifest.json', BUNDLE), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') {
      throw new Error('the package has no data: write it with packages/pack.py', { cause: error });
    }
    throw error;
  }
}

/** Returns the RFCs of the package, such as rfc3986. */
export function specsOf(manifest) {
  return [...new Set(manifest.files.map((file) => file.spec))].sort();
}

/**
 * Returns the cases of an RFC; README.md of the bundle explains their fields.
 * Cases with long texts are left out if `short` is true.
 */
export function readCases(manifest, spec, short) {
  const files = manifest.files.filter((file) => file.spec === spec);
  const isRead = (file) => !(short && file.name.endsWith('-long.json'));
  return files.filter(isRead).flatMap(({ name }) => {
    const compressed = readFileSync(new URL(`${name}.gz`, BUNDLE));
    return JSON.parse(gunzipSync(compressed).toString('utf8')).cases;
  });
}

/** Returns the name of a case in tests, such as rfc3986/5.2.4/excess-many. */
export function nameOf({ id, spec, section }) {
  const prefix = `${spec}-${section}-`;
  return `${spec}/${section}/${id.startsWith(prefix) ? id.slice(prefix.length) : id}`;
}
