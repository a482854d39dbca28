/** What takes the place of a secret. */
export const redacted = '[redacted]'

/** Texts that look like credentials: API keys of this service, tokens, authorization headers, access keys of AWS, and passwords in addresses. */
const secretForms = [
  /fhk_[0-9A-Z]{26}_[A-Za-z0-9_-]+/g,
  /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  /(?<=\b(?:Bearer|Basic)\s+)[A-Za-z0-9+/=_.~-]{8,}/gi,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /(?<=:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g,
] as const

/** A text without what looks like a credential. */
export function redactText(text: string): string {
  return secretForms.reduce((clean, form) => clean.replace(form, redacted), text)
}

/** Plain data without what looks like a credential, whatever member has it. None of the forms holds a quote, so that the JSON stays whole. */
export function redactAll<T>(value: T): T {
  const text = JSON.stringify(value)
  const clean = redactText(text)
  // The same data, but for texts within it.
  return clean === text ? value : (JSON.parse(clean) as T)
}

const secretNames = ['authorization', 'cookie', 'password', 'secret', 'token', 'apiKey'] as const

/** The members of a line that are never written, at the top and one level below, in the form that pino takes. */
export const redactedPaths: readonly string[] = secretNames.flatMap((name) => [name, `*.${name}`])
