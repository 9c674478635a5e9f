package import JSONRPC
import MCP
import NovaBlendMethods

/// The tools that agents get: tool sets and single tools, without those that are excluded.
public struct ToolSelection: Sendable, Hashable {
    /// The name of the set of all tools.
    public static let all = "all"

    private let included: Set<String>
    private let excluded: Set<String>

    /// Creates a selection from names that are separated by commas. A name after `-` is excluded. If no
    /// name is included, the set `booking` is.
    public init(_ text: String = "") {
        let names = text.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }
        let excluded = names.filter { $0.hasPrefix("-") }.map { Self.name(of: $0.dropFirst()) }
        let included = names.filter { !$0.hasPrefix("-") }.map { Self.name(of: $0) }
        self.excluded = Set(excluded)
        self.included = included.isEmpty ? [ToolSet.booking.name] : Set(included)
    }

    /// The name of a tool in a selection. It may be written as the name of a method.
    private static func name(of text: Substring) -> String {
        let end = text.lastIndex { !$0.isWhitespace }
        return Tool.name(ofMethod: String(end.map { text[...$0] } ?? ""))
    }

    /// Whether agents get the tool of `method`.
    func contains(_ method: Method) -> Bool {
        Self.isSelected(method, by: included) && !Self.isSelected(method, by: excluded)
    }

    private static func isSelected(_ method: Method, by names: Set<String>) -> Bool {
        // The name of the tool is made last, because most selections name only sets.
        !names.isEmpty
            && (names.contains(method.declaration.toolSet.name) || names.contains(all)
                || names.contains(Tool.name(ofMethod: method.name)))
    }

    /// Why these tools of `methods` cannot be served; nil if they can. If `isReadOnly` is true, the tools
    /// that can change something are not served.
    package func problem(with methods: [Method], isReadOnly: Bool) -> String? {
        if self == ToolSelection() { return nil }
        let known = methods.reduce(into: Set<String>()) { $0.formUnion(Self.names(of: $1)) }
        let unknown = included.union(excluded).subtracting(known).sorted()
        if let name = unknown.first {
            let sets = Set(methods.map(\.declaration.toolSet.name)).sorted()
            return "unknown tool or tool set \"\(name)\"; the sets are "
                + (sets + [Self.all]).joined(separator: ", ")
        }
        let selected = methods.filter(contains)
        if selected.isEmpty { return "no tool is left" }
        if !isReadOnly || selected.contains(where: { $0.effect == .reads }) { return nil }
        return "no tool is left, because read-only leaves out each of these"
    }

    /// The names that select the tool of a method.
    private static func names(of method: Method) -> [String] {
        [Tool.name(ofMethod: method.name), method.declaration.toolSet.name, all]
    }
}
