import CommandLineKit
import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods

/// Finds a salon by its id, or by text that matches only one salon, as a method does.
struct SalonFinder: Sendable {
    let invoker: MethodInvoker
    /// Whether the salon is to be changed, or booked at. Then names are looked up only in a list that
    /// the server sends or confirms now: a cached name may have been given to something else.
    let isForChange: Bool
    /// Where a person chooses one of several salons; nil if no one can be asked.
    let terminal: Terminal?

    private var currentPolicy: String { isForChange ? "serverOnly" : "serverFirst" }

    /// Finds the salon that `typed` names. Throws `notFound`, or `usage` with the candidates if
    /// several salons match and no one has chosen one of them.
    func find(_ typed: String) async throws(CommandError) -> FoundSalon {
        let isID = Self.isIdentifier(typed)
        // An id needs no list, so looking it up must leave time for the call.
        let share = isID ? 0.25 : 1
        if isID || !isForChange,
            let salon = try? await salon(typed, policy: "cacheFirst", share: share)
        {
            return salon
        }
        // The salon may be newer than the cached list, so ask the server, too.
        do {
            let policy = isID ? "serverFirst" : currentPolicy
            return try await salon(typed, policy: policy, share: share)
        } catch {
            // The method reports an id that does not exist.
            if isID { return FoundSalon(id: typed.lowercased()) }
            if let id = try await chosenID(error, typed) {
                return try await salon(id, policy: "cacheFirst")
            }
            throw Self.explain(error, typed)
        }
    }

    /// The id of the salon that a person chooses among several that match; nil if the person does
    /// not answer.
    private func chosenID(
        _ error: CommandError,
        _ typed: String
    ) async throws(CommandError) -> String? {
        let data = (error.underlyingError as? RPCError)?.dataObject
        guard let terminal, let matches = data?.integer("matches"), matches > 1 else { return nil }
        let salons = (data?.objects(SalonListCodec.key) ?? []).map { FoundSalon($0) }
        invoker.progress.end()
        let more = matches > salons.count ? "; these are the first" : ""
        terminal.printNote("\(matches) salons match \(typed)\(more)")
        do {
            let index = try await terminal.choose("Which one?", among: salons.map(\.title))
            return index.map { salons[$0].id }
        } catch {
            throw .interrupted
        }
    }

    /// The id of the service or staff member that `typed` names. If the salon is not known, `typed`
    /// must be an id, which the method checks.
    func id(
        _ typed: String,
        in members: (FoundSalon) -> [SalonMember]?,
        _ kind: String,
        of salon: FoundSalon?
    ) async throws(CommandError) -> String {
        guard let salon, let known = members(salon) else { return typed }
        if known.contains(where: { $0.id == typed }) { return typed }
        func find(among members: [SalonMember]) throws(CommandError) -> String {
            try SalonMember.find(typed, among: members, kind, of: salon.name ?? salon.id).id
        }
        if isForChange, !salon.isCurrent {
            let latest: FoundSalon
            do {
                latest = try await self.salon(salon.id, policy: currentPolicy)
            } catch {
                throw Self.adding(SalonMember.matches(of: typed, among: known), to: error)
            }
            return try find(among: members(latest) ?? [])
        }
        do { return try find(among: known) } catch {
            // The salon may have changed since it was cached.
            let latest = try? await self.salon(salon.id, policy: currentPolicy)
            guard let current = latest.flatMap(members), current != known else { throw error }
            return try find(among: current)
        }
    }

    private func salon(
        _ typed: String,
        policy: String,
        share: Double = 1
    ) async throws(CommandError) -> FoundSalon {
        var invoker = invoker
        invoker.share = share
        let params = Parameters(["id": typed, "policy": policy])
        let reply = try await invoker.call(SalonMethods.get, params)
        return FoundSalon(reply.salon, isCurrent: reply.provenance.source.isCurrent)
    }

    /// Adds what a cached list has to the error of a list that could not be loaded.
    private static func adding(_ candidates: [String], to error: CommandError) -> CommandError {
        var error = error
        error.note = "nothing was changed"
        error.suggestions = candidates + error.suggestions
        return error
    }

    /// Replaces the error for zero or several matching salons with one for the command line.
    private static func explain(_ error: CommandError, _ typed: String) -> CommandError {
        let data = (error.underlyingError as? RPCError)?.dataObject
        guard let matches = data?.integer("matches") else {
            let cached = (data?.objects(SalonListCodec.key) ?? []).map { FoundSalon($0) }
            return cached.isEmpty ? error : adding(cached.map(\.suggestion), to: error)
        }
        if matches == 0 {
            return CommandError(.salonNotFound("There is no salon \(SafeText.line(typed))"))
        }
        let candidates = (data?.objects(SalonListCodec.key) ?? []).map { FoundSalon($0) }
        return CommandError(
            .usage,
            "\(matches) salons match \(SafeText.line(typed))",
            note: "nothing was changed",
            suggestions: candidates.map(\.suggestion)
        )
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
