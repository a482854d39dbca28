/**
 * The one file of this package that reads or writes environment variables.
 *
 * Once a process, the AWS SDK warns on standard error that it will need Node 22 from 2027 on. A user of the command cannot act on that, so
 * the warning is silenced unless the variable is set. The SDK reads it when its first client is made.
 */
export function silenceNodeVersionWarning(): void {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
}
