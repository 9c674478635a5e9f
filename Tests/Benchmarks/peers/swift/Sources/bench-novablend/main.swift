import BenchmarkSupport
import Contract
import JSON
import Networking
import Persistence

switch try Job() {
case .get(let url, let concurrency, let count):
    let client = CurlHTTPClient()
    try await measure(concurrency: concurrency, count: count) {
        let response = try await client.send(HTTPRequest(.get, url))
        guard response.status == 200 else { throw Failure("status \(response.status)") }
    }
case .decode(let file, let rounds):
    let payload = try contents(of: file)
    let limits = JSONLimits(maximumBytes: payload.count)
    try measure(rounds: rounds) { try SalonListCodec.decode(payload, limits: limits) }
case .replace(let directory, let bytes, let count):
    let store = FileSnapshotStore(directory: directory)
    let snapshot = Snapshot(payload: (0..<bytes).map { UInt8(truncatingIfNeeded: $0) }, savedAt: 0)
    try measure(rounds: count) { try store.replace("value", with: snapshot) }
}
