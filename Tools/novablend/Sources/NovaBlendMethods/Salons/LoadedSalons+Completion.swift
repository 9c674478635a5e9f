import Contract
import Domain
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
