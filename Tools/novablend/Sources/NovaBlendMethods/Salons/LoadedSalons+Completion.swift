import Contract
package import Domain
package import NovaBlendAdapters
import NovaBlendTextSearch

/// What completes the text that a person is typing, after at most one load of the list.
extension LoadedSalons {
    /// The ids that begin with the text, and those of the salons whose name or location contains it.
    package func ids(completing typed: String) async -> [String] {
        guard let list = try? await load(.cacheFirst).value else { return [] }
        let matching = Set(list.numbers(matching: TextQuery(typed)))
        let start = typed.lowercased()
        return list.numbers.compactMap { number in
            guard let id = list.id(of: number) else { return nil }
            return matching.contains(number) || id.hasPrefix(start) ? id : nil
        }
    }

    /// The names of the salons whose name or location contains the text.
    package func names(completing typed: String) async -> [String] {
        guard let list = try? await load(.cacheFirst).value else { return [] }
        return list.numbers(matching: TextQuery(typed)).compactMap { list.salon($0)?.name }
    }
}

/// What completes a command line: only what is cached, whatever its age. No request is sent.
extension LoadedSalons {
    /// A cached salon, for a person who types.
    package struct Name: Sendable {
        package let id: String
        package let name: String
        package let location: String
        /// Whether what was typed begins the name, not the id.
        package let isNamed: Bool
        /// Whether a different salon has the same name.
        package let isShared: Bool
    }

    /// The cached salons whose name or id begins with the text, regardless of case and accents. The
    /// text can continue after the name with the place.
    package func cachedNames(completing typed: String) -> [Name] {
        guard let list = cached() else { return [] }
        let (start, idStart) = (TextPrefix(typed), typed.lowercased())
        // Count the hashes of the names, because there may be very many names.
        var counts: [Int: Int] = [:]
        var found: [(number: Int, hash: Int?)] = []
        for number in list.numbers {
            let hash = list[number].withUnsafeBufferPointer { salon in
                SalonCodec.withTexts(of: salon) { name, location in
                    start.begins(name) || start.begins(name, location)
                        ? TextQuery.foldedHash(name) : nil
                }
            }
            if let hash {
                counts[hash, default: 0] += 1
            } else if typed.isEmpty || list.id(of: number)?.hasPrefix(idStart) != true {
                continue
            }
            found.append((number, hash))
        }
        return found.compactMap { number, hash in
            guard let id = list.id(of: number) else { return nil }
            return list[number].withUnsafeBufferPointer { salon in
                SalonCodec.withTexts(of: salon) { name, location in
                    let isShared = hash.map { counts[$0] != 1 } ?? false
                    // The other salons of the name may be in places that do not fit what was typed.
                    return Name(
                        id: id,
                        name: String(decoding: name, as: UTF8.self),
                        location: String(decoding: location, as: UTF8.self),
                        isNamed: hash != nil,
                        isShared: isShared || !start.begins(name)
                    )
                }
            }
        }
    }

    /// The cached salon that the text names, as in a call; nil if no salon or several match.
    package func cachedSalon(named text: String) -> Salon? {
        guard let list = cached() else { return nil }
        if let id = SalonID(text) { return (try? list.model(id)) ?? nil }
        return (try? SalonReference.find(text, in: list, parameter: "")) ?? nil
    }
}
