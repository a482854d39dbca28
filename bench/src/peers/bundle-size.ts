import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

/** Lambda has the AWS SDK; a container does not. */
export type Counted = 'without the SDK' | 'with the SDK'

const isSdk = (specifier: string) => /^@(aws-sdk|smithy)\//.test(specifier)

/**
 * Bytes of a contender with all that it imports, minified and gzipped.
 *
 * @param file its module in this folder, built.
 */
export async function bundleSize(file: string, counted: Counted): Promise<number> {
  const build = await rolldown({
    input: join(import.meta.dirname, file),
    platform: 'node',
    external: (specifier) => counted === 'without the SDK' && isSdk(specifier),
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  return gzipSync(output[0].code).length
}
