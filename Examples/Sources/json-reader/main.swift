// Reads a list of salons from standard input, and writes JSON.
//
// usage: json-reader open|mean KEY|set KEY NUMBER|indent <salons.json
//
//   open            the salons that are open at noon
//   mean KEY        the mean of the numbers that the salons have for KEY, such as open_time
//   set KEY NUMBER  the same object with NUMBER for KEY, everything else as before
//   indent          the same text on several lines
import Foundation
import JSON

struct SalonList: Codable {
    var salons: [Salon]
}

struct Salon: Codable {
    let name: String
    let phone: String?
    let openTime: Double
    let closeTime: Double
    let updated: Timestamp?

    enum CodingKeys: String, CodingKey {
        case name, phone
        case openTime = "open_time"
        case closeTime = "close_time"
        case updated
    }
}

/// A date that is written as ISO 8601 text, such as 2026-11-22T10:15:30Z.
struct Timestamp: Codable {
    let date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(text) is not a date"
            )
        }
        self.date = date
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.formatted(.iso8601))
    }
}

/// Decodes the list as models, and encodes some of them.
func openSalons(_ document: JSONDocument) throws -> JSONFragment {
    var list = try document.root.decode(SalonList.self)
    list.salons.removeAll { salon in salon.openTime > 12 || salon.closeTime <= 12 }
    return try JSONFragment(encoding: list)
}

/// Reads one member of each salon, without models. The key is known only at run time.
func mean(of key: String, in document: JSONDocument) throws(JSONError) -> JSONFragment {
    let salons = try document.root.object().required("salons").array()
    var sum = 0.0
    for salon in salons {
        sum += try salon.object().required(named: key).number()
    }
    return JSONFragment.object { writer in
        writer.member("salons", salons.count)
        writer.member(named: key, sum / Double(salons.count))
    }
}

/// Copies an object, but with `number` as the value of `key`, which is added if it is absent.
func setting(_ key: String, to number: Double, in object: JSONObject) -> JSONFragment {
    JSONFragment.object { writer in
        for (name, value) in object {
            writer.key(name)
            if name == key { writer.number(number) } else { writer.value(value) }
        }
        if object.member(named: key) == nil { writer.member(named: key, number) }
    }
}

func run(_ words: [String]) throws -> JSONFragment? {
    let text = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
    let document = try JSONDocument(parsing: text)
    switch (words.first, words.count) {
    case ("open", 1): return try openSalons(document)
    case ("mean", 2): return try mean(of: words[1], in: document)
    case ("set", 3):
        guard let number = Double(words[2]) else { return nil }
        return setting(words[1], to: number, in: try document.root.object())
    case ("indent", 1): return JSONFragment(trusted: text).indented()
    default: return nil
    }
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("json-reader: \(message)\n".utf8))
    exit(1)
}

do {
    guard let result = try run(Array(CommandLine.arguments.dropFirst())) else {
        fail("usage: json-reader open|mean KEY|set KEY NUMBER|indent <salons.json")
    }
    print(result)
} catch {
    // The error contains the path of the value, such as salons[3].open_time.
    fail("\(error)")
}
