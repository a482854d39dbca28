/** The limits of admission. Each holds for one process. Weights are in places: a `can` takes one. */
export interface AdmissionLimits {
  /** The largest weight of requests that run at once. The event loop's delay makes it less. */
  readonly running_max: number
  /** The least that a slow event loop makes of it. */
  readonly running_min: number
  /** The largest number of requests that wait for a place. */
  readonly waiting_max: number
  /** How long a request may wait, in milliseconds, while the queue becomes empty now and then. */
  readonly waiting_ms_max: number
  /** How long the queue is without a break before it counts as standing, in milliseconds. The newest then go first. */
  readonly standing_after_ms: number
  /** How long a request may wait in a queue that stands, in milliseconds. */
  readonly standing_ms_max: number
  /** How long nothing is read from a connection whose request was refused for want of room, in milliseconds. */
  readonly rest_ms: number
  /** The delay of a busy event loop, in milliseconds, from which on fewer requests run at once. */
  readonly delay_ms_max: number
  /** The largest body, in bytes. The service's own limit says no more than that. */
  readonly body_bytes_max: number
  /** The largest number of bytes of all bodies that have begun to arrive. Callers that are not known have half of it. */
  readonly bodies_bytes_max: number
  /**
   * A body arrives at this rate at least, in bytes a second, once it has taken `body_grace_ms`. An answer is taken at the same rate, once it has waited
   * for `headers_ms_max`.
   */
  readonly body_rate_min: number
  readonly body_grace_ms: number
  /** Requests for health in a second that need no place. Others are admitted as all requests are. */
  readonly healths_max: number
  /** How many callers are known at a time, and how long after a verification, in milliseconds. After that time the key of a caller that was revoked is a stranger's. */
  readonly known_max: number
  readonly known_ms: number
  /** The largest number of connections. Beyond it, the longest without a request is ended. */
  readonly connections_max: number
  /** How long the headers of a request may take, and an idle connection may live, in milliseconds. */
  readonly headers_ms_max: number
  readonly idle_ms_max: number
}

export const admissionUnlessGiven: AdmissionLimits = {
  running_max: 256,
  running_min: 16,
  waiting_max: 512,
  waiting_ms_max: 1_000,
  standing_after_ms: 1_000,
  standing_ms_max: 250,
  rest_ms: 200,
  delay_ms_max: 15,
  body_bytes_max: 1_048_576,
  bodies_bytes_max: 67_108_864,
  body_rate_min: 1_000,
  body_grace_ms: 5_000,
  healths_max: 100,
  known_max: 10_000,
  known_ms: 60_000,
  connections_max: 4_096,
  headers_ms_max: 10_000,
  idle_ms_max: 5_000,
}
