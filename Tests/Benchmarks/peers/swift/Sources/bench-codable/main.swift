import BenchmarkSupport
import Foundation
import JSON

struct Salon: Codable {
    // Not a UUID: its own parser would take half of the time.
    let id: String
    let name: String
    let location: String
    let phone: String?
    let openTime: Double
    let closeTime: Double

    enum CodingKeys: String, CodingKey {
        case id, name, location, phone
        case openTime = "open_time"
        case closeTime = "close_time"
    }
}

struct SalonList: Codable { let salons: [Salon] }

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let rounds = arguments.last.flatMap({ Int($0) }), rounds > 0 else {
    throw Failure("decode|encode|JSONDecoder|JSONEncoder FILE ROUNDS")
}
let payload = try contents(of: arguments[2])
let data = Data(payload)
let list = try JSONDecoder().decode(SalonList.self, from: data)
let limits = JSONLimits(maximumBytes: payload.count)

switch arguments[1] {
case "decode":
    try measure(rounds: rounds) {
        try JSONDocument(parsing: payload, limits: limits).root.decode(SalonList.self)
    }
case "JSONDecoder":
    try measure(rounds: rounds) { try JSONDecoder().decode(SalonList.self, from: data) }
case "encode": try measure(rounds: rounds) { try JSONFragment(encoding: list).bytes }
case "JSONEncoder": try measure(rounds: rounds) { try JSONEncoder().encode(list) }
default: throw Failure("not an operation: \(arguments[1])")
}
