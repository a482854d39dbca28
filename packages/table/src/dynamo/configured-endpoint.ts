/**
 * The endpoint that AWS's settings name for DynamoDB, as its page on service-specific endpoints has it: `AWS_ENDPOINT_URL_DYNAMODB`, `AWS_ENDPOINT_URL`, then
 * the profile, unless `AWS_IGNORE_CONFIGURED_ENDPOINT_URLS` says otherwise. The AWS SDK finds it, and is loaded for that.
 */
export async function configuredEndpoint(): Promise<string | undefined> {
  const [{ createClient }, { HttpHandler }] = await Promise.all([import('./client.ts'), import('./http-handler.ts')])
  const client = createClient({}, new HttpHandler(1))
  try {
    return await client.config.serviceConfiguredEndpoint?.()
  } finally {
    client.destroy()
  }
}
