package import Contract
import Domain
import JSON
import NovaBlendTextSearch

/// Finding salons by text. The number of a salon is its position in the list, from 0. Only the salons
/// that are found are decoded.
extension EncodedList<SalonListCodec> {
    /// The numbers of the salons that have each word of the query in their name, location, or
    /// aliases; if `isEverywhere`, also in the name of a service or of a staff member.
    func numbers(matching query: TextQuery, isEverywhere: Bool = false) -> [Int] {
        numbers { salon in
            SalonCodec.withTexts(of: salon) { name, location in
                query.isFound(in: name, location) { word in
                    SalonCodec.anyOtherText(of: salon, onlyAliases: !isEverywhere) {
                        TextQuery.contains($1, word)
                    }
                }
            }
        }
    }

    /// Where a salon has the words of the query that its name and its location lack.
    func matches(of query: TextQuery, in number: Int) -> [SalonMatch] {
        self[number].withUnsafeBufferPointer { salon in
            var matches: [SalonMatch] = []
            _ = SalonCodec.withTexts(of: salon) { name, location in
                query.isFound(in: name, location) { word in
                    SalonCodec.anyOtherText(of: salon) { kind, text in
                        guard TextQuery.contains(text, word) else { return false }
                        let match = SalonMatch(kind, String(decoding: text, as: UTF8.self))
                        if !matches.contains(match) { matches.append(match) }
                        return true
                    }
                }
            }
            return matches
        }
    }

    /// The salon with this number.
    func salon(_ number: Int) -> Salon? { try? SalonCodec.read(element(number)) }

    /// The numbers of the salons whose name equals `name`, regardless of case, accents, spaces, and
    /// punctuation.
    func numbers(named name: String) -> [Int] {
        let hashes = Set(TextQuery.foldedForms(name).map { ElementHash.hash(of: $0[...]) })
        return hashes.flatMap { numbers($0, by: Self.names) }.sorted().filter {
            TextQuery.isSame(Self.name(of: self[$0]), name)
        }
    }

    private static func name(of salon: ArraySlice<UInt8>) -> String {
        salon.withUnsafeBufferPointer { salon in
            SalonCodec.withTexts(of: salon) { name, _ in String(decoding: name, as: UTF8.self) }
        }
    }

    private static func foldedName(of salon: ArraySlice<UInt8>) -> [UInt8] {
        salon.withUnsafeBufferPointer { salon in
            SalonCodec.withTexts(of: salon) { name, _ in TextQuery.folded(name) }
        }
    }

    private static var names: ElementHash {
        ElementHash("name") { salon in
            ElementHash.hash(of: foldedName(of: salon)[...])
        }
    }
}

/// A text of a salon, other than its name and its location, that has a word of a query.
package struct SalonMatch: Sendable, Hashable {
    package let kind: SalonText
    package let text: String

    fileprivate init(_ kind: SalonText, _ text: String) { (self.kind, self.text) = (kind, text) }
}
