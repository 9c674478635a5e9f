import BenchmarkSupport
import Contract
import Domain
import JSON
import Networking
import Persistence
import Zones

switch try Job() {
case .get(let url, let concurrency, let count):
    let client = CurlHTTPClient()
    try await measure(concurrency: concurrency, count: count) {
        let response = try await client.send(HTTPRequest(method: .get, url: url))
        guard response.status == 200 else { throw Failure("status \(response.status)") }
    }
case .download(let url, let count):
    let client = CurlHTTPClient()
    // curl does not ask for compression either.
    let request = HTTPRequest(
        method: .get,
        url: url,
        headers: ["Accept-Encoding": "identity"],
        maximumResponseBytes: .max
    )
    var bytes = 0
    for _ in 0..<count {
        let stream = try await client.stream(request)
        guard stream.head.status == 200 else { throw Failure("status \(stream.head.status)") }
        for try await chunk in stream { bytes += chunk.count }
    }
    print(bytes)
case .upload(let file, let url, let count):
    let client = CurlHTTPClient()
    for _ in 0..<count {
        let upload = try HTTPUpload(file: file)
        let response = try await client.send(HTTPRequest(method: .put, url: url), uploading: upload)
        guard response.status == 200 else { throw Failure("status \(response.status)") }
    }
case .decode(let file, let rounds):
    let payload = try contents(of: file)
    let limits = JSONLimits(maximumBytes: payload.count)
    try measure(rounds: rounds) { try SalonListCodec.decode(payload, limits: limits) }
case .replace(let directory, let bytes, let count):
    let store = FileSnapshotStore(directory: directory)
    let snapshot = Snapshot(
        payload: (0..<bytes).map { UInt8(truncatingIfNeeded: $0) },
        savedAt: Timestamp(secondsSince1970: 0)
    )
    try measure(rounds: count) { try store.replace("value", with: snapshot) }
case .slots(let salons, let appointments, let start, let rounds):
    guard let salon = try SalonListCodec.decode(try contents(of: salons)).first else {
        throw Failure("no salon in \(salons)")
    }
    let listed = try AppointmentListCodec.decode(try contents(of: appointments))
    let clock = try SalonClock(of: salon, zones: ZoneDirectory(), offsetMinutes: 0)
    let from = Timestamp(secondsSince1970: Int64(start))
    let options = BookingOptions(serviceID: salon.services.first?.id)
    try measureCPU(rounds: rounds) {
        let schedule = Schedule(of: salon, on: clock)
        let slots = schedule.slots(
            for: try schedule.requirement(for: options),
            from: from,
            to: from.advanced(bySeconds: 7 * 86_400),
            busy: BusyInterval.list(of: listed, at: salon),
            now: Timestamp(secondsSince1970: 0)
        )
        if slots.isEmpty { throw Failure("there are no slots") }
        return slots
    }
}
