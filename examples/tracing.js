// Registers an SDK of OpenTelemetry that prints spans: `node --import ./examples/tracing.js node_modules/.bin/freehold serve`.
// For a collector, take the exporter of @opentelemetry/exporter-trace-otlp-http and BatchSpanProcessor in place of these two.
import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] }).register()
