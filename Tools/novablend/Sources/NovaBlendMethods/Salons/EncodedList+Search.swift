import Contract
import Domain
import JSON
import NovaBlendTextSearch

/// Finding salons by text. The number of a salon is its position in the list, from 0. Only the salons
/// that are found are decoded.
extension EncodedList<SalonListCodec> {
    /// The numbers of the salons whose name or location contains the query.
    func numbers(matching query: TextQuery) -> [Int] {
        numbers { salon in SalonCodec.withTexts(of: salon) { query.isFound(in: $0, $1) } }
    }

    /// The salon with this number.
    func salon(_ number: Int) -> Salon? { try? SalonCodec.read(element(number)) }

    /// The numbers of the salons whose name equals `name`, regardless of case, accents, and spaces.
    func numbers(named name: String) -> [Int] {
        let name = TextQuery.folded(name)
        return numbers(ElementHash.hash(of: name[...]), by: Self.names).filter {
            Self.foldedName(of: self[$0]) == name
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
