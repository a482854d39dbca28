/**
 * The one file of this package that touches the environment.
 *
 * The AWS SDK warns on standard error, once a process, that it will want Node 22 from 2027 on. Whoever runs the command cannot act on it, so it is
 * silenced unless they decided otherwise. The SDK reads the variable when its first client is made.
 */
export function silenceNodeVersionWarning(): void {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
}
