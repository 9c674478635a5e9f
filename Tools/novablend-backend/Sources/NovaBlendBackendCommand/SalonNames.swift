import BookingStorage
import CommandLineKit
import Domain
import NovaBlendSalonFiles

/// The names of stored salons, by which an import finds the salons without an id.
///
/// A name that only looks like that of a different salon is never a second salon, and never that one:
/// a person must write it in the same way, or give both an id.
struct SalonNames {
    private var stored: [SalonID: Name] = [:]
    private var idsByFoldedName: [String: [SalonID]] = [:]

    /// Reads the names of all salons of a store.
    init(stored store: any BookingStore) async throws {
        try await store.forEachPageOfSalons { page in
            for salon in page {
                let name = Name(salon.name)
                stored[salon.id] = name
                idsByFoldedName[name.folded, default: []].append(salon.id)
            }
        }
    }

    /// The salons of a file. One without an id gets the id of the salon with its name, or a new one.
    ///
    /// - Throws: `invalidData`, with all names that are ambiguous, or similar to that of a different
    ///   salon.
    func withIDs(_ entries: [SalonFile.Entry]) throws(CommandError) -> [Salon] {
        var problems: [String] = []
        var salons: [Salon] = []
        for entry in entries {
            var salon = entry.salon
            let name = Name(salon.name)
            let similar = idsByFoldedName[name.folded] ?? []
            let equal = similar.filter { stored[$0] == name }
            if entry.hasID {
                problems += similarName(of: entry, name, similar, equal)
            } else if equal.count > 1 {
                problems.append("\(entry.path) has no id, and \(equal.count) salons have its name")
            } else if let id = equal.first {
                salon.id = id
            } else if let other = similar.first {
                problems.append(difference(of: entry, name, from: other))
            } else {
                salon.id = .random()
            }
            salons.append(salon)
        }
        if problems.isEmpty { problems = similarNames(in: entries) }
        guard problems.isEmpty else {
            throw CommandError(
                .invalidData,
                problems.joined(separator: "; "),
                note: "nothing was changed"
            )
        }
        return salons
    }

    /// What is wrong with a name that the file gives to a new salon, or to a salon with a different
    /// name, if a different stored salon has a similar one. Salons may have equal names if both have
    /// ids.
    private func similarName(
        of entry: SalonFile.Entry,
        _ name: Name,
        _ similar: [SalonID],
        _ equal: [SalonID]
    ) -> [String] {
        guard stored[entry.salon.id] != name, equal.isEmpty,
            let other = similar.first(where: { $0 != entry.salon.id })
        else { return [] }
        return [difference(of: entry, name, from: other)]
    }

    /// What is wrong with names that the file gives to salons that do not have them yet, if a different
    /// salon of the file has a similar one.
    private func similarNames(in entries: [SalonFile.Entry]) -> [String] {
        let groups = Dictionary(grouping: entries) { Name($0.salon.name).folded }
        return entries.compactMap { entry in
            let name = Name(entry.salon.name)
            guard entry.hasID, stored[entry.salon.id] != name else { return nil }
            let others = (groups[name.folded] ?? []).filter { Name($0.salon.name) != name }
            guard let other = others.first else { return nil }
            let difference = name.difference(from: Name(other.salon.name))
            return
                "the name of \(entry.path), \"\(name.text)\", differs only in \(difference) from "
                + "that of \(other.path), \"\(other.salon.name)\""
        }
    }

    private func difference(of entry: SalonFile.Entry, _ name: Name, from id: SalonID) -> String {
        guard let other = stored[id] else { return "" }
        return "the name of \(entry.path), \"\(name.text)\", differs only in "
            + "\(name.difference(from: other)) from that of the stored salon \"\(other.text)\" (\(id)); "
            + "write it in the same way" + (entry.hasID ? "" : ", or give it the id of that salon")
    }
}
