import CommandLineKit
import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods

/// A list whose changes are printed.
struct WatchedList: Sendable {
    let name: String
    let invoker: MethodInvoker
    let isJSON: Bool

    private var isSalons: Bool { name == SalonListCodec.name }

    /// The noun for an element of the list.
    var element: String { isSalons ? "salon" : "appointment" }

    /// Loads the list like ``load(_:)``, and caches the salons, because appointments are shown with
    /// their names and on their clocks.
    func loadFirst() async throws(CommandError) -> (elements: [String: JSONObject], notes: [String])
    {
        if !isSalons {
            var params = Parameters()
            params.set("limit", 1)
            _ = try? await invoker.call(SalonMethods.list, params)
        }
        return try await load()
    }

    /// The elements by their ids, and notes about where they come from.
    func load(
        _ policy: String = "serverFirst"
    ) async throws(CommandError) -> (elements: [String: JSONObject], notes: [String]) {
        var params = Parameters(["policy": policy])
        if !isSalons { params.set("status", "all") }
        let (reply, provenance): (any Reply, Provenance)
        if isSalons {
            let list = try await invoker.call(SalonMethods.list, params)
            (reply, provenance) = (list, list.provenance)
        } else {
            let list = try await invoker.call(AppointmentMethods.list, params)
            (reply, provenance) = (list, list.provenance)
        }
        let notes = ResultNotes.provenance(provenance).compactMap(\.self)
        return (try elements(of: reply), notes)
    }

    /// The elements as JSON, because that is what is compared and printed.
    private func elements(of reply: any Reply) throws(CommandError) -> [String: JSONObject] {
        let encoded: JSONFragment
        do { encoded = try reply.encode().fragment } catch {
            throw CommandError(error)
        }
        let object = try? JSONDocument(ofOwn: encoded).root.object()
        let elements =
            object?.objects(isSalons ? SalonListCodec.key : AppointmentListCodec.key) ?? []
        let pairs = elements.compactMap { element in element.text("id").map { ($0, element) } }
        return Dictionary(pairs) { $1 }
    }

    /// A line for each difference, in the order of the ids.
    func lines(
        from old: [String: JSONObject],
        to new: [String: JSONObject]
    ) async -> String {
        let differences = Set(old.keys).union(new.keys).sorted().compactMap { id in
            change(old[id], new[id]).map { (id, $0) }
        }
        if differences.isEmpty { return "" }
        let names = isSalons || isJSON ? [:] : await AppointmentViews.salonNames(invoker)
        return differences.map { id, change in
            let element = new[id] ?? old[id]
            let line =
                isJSON
                ? json(change, id, new[id])
                : ([change] + columns(of: element, names) + [id]).compactMap(\.self)
                    .joined(separator: "  ")
            return SafeText.line(line) + "\n"
        }.joined()
    }

    /// What has happened to an element; nil if nothing has.
    private func change(_ old: JSONObject?, _ new: JSONObject?) -> String? {
        guard let new else { return "deleted" }
        guard let old else { return isSalons ? "new" : "booked" }
        if Self.content(old) == Self.content(new) { return nil }
        let isCancelled = new.text("status") == "cancelled" && old.text("status") != "cancelled"
        return isCancelled ? "cancelled" : "changed"
    }

    /// The members that come from the server. The others depend on the zone rules and on the journal of
    /// this machine; of the end, only the instant comes from the server.
    private static func content(_ element: JSONObject) -> [String] {
        element.compactMap { key, value in
            switch key {
            case "start", "zone", "weekday", "own": nil
            case "end":
                "end:\((try? AppointmentTimeCodec.read(value))?.instant.secondsSince1970 ?? 0)"
            default: "\(key):\(value)"
            }
        }
    }

    private func columns(of element: JSONObject?, _ names: [String: String]) -> [String?] {
        guard let element else { return [] }
        if isSalons { return [element.text("name"), element.text("location")] }
        let salon = element.text("salonId")
        let staff = element.text("staff") ?? element.text("staffId")
        let isAssigned = (try? element.optional("staffAssigned")?.bool()) == true
        return [
            element.text("start"),
            salon.flatMap { names[$0] } ?? salon,
            element.text("service") ?? element.text("serviceId"),
            staff.map { $0 + (isAssigned ? " (assigned)" : "") }, element.text("phone"),
        ]
    }

    private func json(_ change: String, _ id: String, _ element: JSONObject?) -> String {
        let object = ObjectFragment { writer in
            writer.member("resource", name)
            writer.member("change", change)
            writer.member("id", id)
            writer.member(
                "element",
                element.map { element in JSONFragment { $0.value(element.value) } }
            )
        }
        return Self.text(of: object)
    }

    /// A line for scripts about the connection; nil for a change.
    func connection(_ event: LiveChanges.Event) -> String? {
        let outage: OutageView
        switch event {
        case .changed: return nil
        case .offline(let since, let error): outage = OutageView((since, error))
        case .online: outage = OutageView(nil)
        }
        return Self.text(of: ObjectFragment(outage.write)) + "\n"
    }

    private static func text(of object: ObjectFragment) -> String {
        String(decoding: SafeText.json(object.fragment.bytes), as: UTF8.self)
    }
}

extension LiveChanges.Event {
    /// What is reported about the connection; nil for a change.
    var note: String? {
        switch self {
        case .changed: nil
        case .offline(let since, let error): "offline since \(ISO8601.formatUTC(since)): \(error)"
        case .online: "the server answers again"
        }
    }
}
