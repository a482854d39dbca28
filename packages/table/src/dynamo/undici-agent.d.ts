// Undici's agent alone. Its index also loads fetch, WebSocket, caches and mocks, which nobody here calls: 40 ms of each start.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'
  export = Agent
}
