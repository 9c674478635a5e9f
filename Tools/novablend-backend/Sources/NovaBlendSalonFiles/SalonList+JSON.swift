import Contract
import JSON

extension SalonList {
    /// The most that a file may have, in bytes.
    private static let maximumBytes = 1 << 30

    /// Adds the salons of a JSON text: an object with the list `salons`.
    mutating func readJSON(_ bytes: [UInt8]) {
        do throws(JSONError) {
            let limits = JSONLimits(maximumBytes: Self.maximumBytes)
            let root = try JSONDocument(received: bytes, limits: limits).root
            for salon in try root.object().required(SalonListCodec.key).array() { add(salon) }
        } catch {
            let example = "{\"salons\": [...]}"
            if case .mismatch = error {
                report("\(error), as in \(example)")
            } else {
                report("\(error)")
            }
        }
    }
}
