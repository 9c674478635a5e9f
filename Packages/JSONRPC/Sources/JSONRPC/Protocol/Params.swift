public import JSON
import SystemSupport

/// The parameters of a call, by name. Positional parameters get the names that the method declares.
public struct Params: Sendable {
    private var values: [String: JSONValue]

    /// Creates an empty collection of parameters.
    public init() { values = [:] }

    /// Parses the params of a call, without the parameters in `reserved`. Absent and null params
    /// count as empty, and a parameter that is null counts as absent.
    ///
    /// - Parameters:
    ///   - params: The params: an object or an array.
    ///   - method: The method, which declares the parameters.
    ///   - reserved: The names of parameters to leave out.
    ///   - unlisted: The names of parameters that errors do not mention.
    /// - Throws: -32602 if the params are of any other type than object or array, if a parameter is
    ///   duplicated, or if parameters are unknown or required ones absent, with their names (at most ten
    ///   unknown ones).
    public init(
        _ params: JSONValue?,
        for method: Method,
        ignoring reserved: Set<String> = [],
        unlisted: Set<String> = []
    ) throws(RPCError) {
        do {
            try self.init(checking: params, for: method, reserved, unlisted)
        } catch {
            throw method.completeError?(error) ?? error
        }
    }

    private init(
        checking params: JSONValue?,
        for method: Method,
        _ reserved: Set<String>,
        _ unlisted: Set<String>
    ) throws(RPCError) {
        let parameters = method.parameters
        var wrong = WrongNames()
        switch params?.kind {
        case nil, .null: values = [:]
        case .object: values = try Self.byName(params, method, reserved, &wrong)
        case .array: values = try Self.byPosition(params, parameters)
        default: throw .invalidParams("params must be an object or an array")
        }
        for parameter in parameters {
            if let value = values[parameter.name], !value.isNull,
                !(method.treatsEmptyAsAbsent && value.isEmpty)
            {
                continue
            }
            if parameter.isRequired {
                wrong.missing.append((parameter, values[parameter.name]?.isNull ?? true))
            }
            values[parameter.name] = nil
        }
        if wrong.isEmpty { return }
        throw wrong.error(known: parameters.map(\.name).filter { !unlisted.contains($0) })
    }

    /// Returns these parameters, with `name` set to `value` if it was absent or null.
    public func defaulting(_ name: String, to value: JSONValue) -> Params {
        guard self.value(name) == nil else { return self }
        var params = self
        params.values[name] = value
        return params
    }

    /// Returns these parameters, with `name` set to `value`.
    public func setting(_ name: String, to value: JSONFragment) -> Params {
        guard let root = try? JSONDocument(parsing: value.bytes).root else { return self }
        var params = self
        params.values[name] = root
        return params
    }

    /// The value of `name`; nil if absent or null.
    public func value(_ name: String) -> JSONValue? {
        values[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// The string `name`; nil if absent or null. Throws -32602 for any other type.
    public func string(_ name: String) throws(RPCError) -> String? {
        try read(name) { value throws(JSONError) in try value.string() }
    }

    /// The integer `name`, which may be written as 1.0; nil if absent or null. Throws -32602 for
    /// any other value.
    public func integer(_ name: String) throws(RPCError) -> Int? {
        try read(name) { value throws(JSONError) in try value.integer() }
    }

    /// The number `name`; nil if absent or null. Throws -32602 for any other type.
    public func number(_ name: String) throws(RPCError) -> Double? {
        try read(name) { value throws(JSONError) in try value.number() }
    }

    /// The Boolean `name`; nil if absent or null. Throws -32602 for any other type.
    public func bool(_ name: String) throws(RPCError) -> Bool? {
        try read(name) { value throws(JSONError) in try value.bool() }
    }

    /// The value of `name`, converted by `read`; nil if absent or null. Throws -32602 if `read`
    /// throws.
    public func read<T>(
        _ name: String,
        _ read: (JSONValue) throws(JSONError) -> T
    ) throws(RPCError) -> T? {
        guard let value = values[name], !value.isNull else { return nil }
        do {
            return try read(value)
        } catch {
            guard case .mismatch(_, let expected) = error else {
                throw .invalidParams(error.description, parameter: name)
            }
            throw .invalidParams("\"\(name)\" must be \(expected)", parameter: name)
        }
    }

    /// Decodes a type whose keys are the names of the parameters. It is slower than reading the
    /// parameters one by one.
    ///
    /// - Throws: -32602 if the values do not fit the type.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self
    ) throws(RPCError) -> Value {
        let object = JSONFragment.object { writer in
            for (name, value) in values {
                writer.member(named: name, value)
            }
        }
        do {
            return try JSONDocument(parsing: object.bytes).root.decode(type)
        } catch {
            let reason = String(describing: error)
            throw .invalidParams(reason, parameter: Self.parameter(in: error))
        }
    }

    /// The parameter that an error of `decode` names; nil if it names none.
    private static func parameter(in error: any Error) -> String? {
        switch error as? JSONError {
        case .mismatch(let path, _), .invalid(let path, _):
            path.description.split { $0 == "." || $0 == "[" }.first.map(String.init)
        default: nil
        }
    }

    private static func byName(
        _ params: JSONValue?,
        _ method: Method,
        _ reserved: Set<String>,
        _ wrong: inout WrongNames
    ) throws(RPCError) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        guard let object = try? params?.object() else { return values }
        for (key, value) in object where !reserved.contains(key) {
            guard
                method.acceptsUnknownParameters
                    || method.parameters.contains(where: { $0.name == key })
            else {
                wrong.unknown.append(key)
                continue
            }
            guard values.updateValue(value, forKey: key) == nil else {
                throw .invalidParams("duplicate parameter \"\(key)\"", parameter: key)
            }
        }
        return values
    }

    private static func byPosition(
        _ params: JSONValue?,
        _ parameters: [Method.Parameter]
    ) throws(RPCError) -> [String: JSONValue] {
        guard let array = try? params?.array() else { return [:] }
        let elements = Array(array)
        guard elements.count <= parameters.count else {
            throw .invalidParams("at most \(parameters.count) positional parameters are accepted")
        }
        return Dictionary(zip(parameters.map(\.name), elements)) { first, _ in first }
    }
}

extension JSONValue {
    /// Whether the value is an empty string or an empty array.
    fileprivate var isEmpty: Bool {
        switch kind {
        case .string: (try? withUTF8(\.isEmpty)) ?? false
        case .array: (try? array().count) == 0
        case .object, .number, .bool, .null: false
        }
    }
}

/// The names in the params of a call that are wrong.
private struct WrongNames {
    var unknown: [String] = []
    /// The required parameters that are absent or null, or else empty.
    var missing: [(parameter: Method.Parameter, isAbsent: Bool)] = []

    var isEmpty: Bool { unknown.isEmpty && missing.isEmpty }

    /// One error for all of them. At most ten unknown names are reported.
    func error(known: [String]) -> RPCError {
        var problems = unknown.prefix(10).map { name in
            let hint = NearestName.hint(for: name, among: known)
            return "unknown parameter \"\(name)\"\(hint)"
        }
        if !unknown.isEmpty {
            problems.append("known: \(known.isEmpty ? "none" : known.joined(separator: ", "))")
        }
        problems += missing.map { parameter, isAbsent in
            "\"\(parameter.name)\" is \(isAbsent ? "missing" : "empty"): \(parameter.summary)"
        }
        return .invalidParams(
            problems.joined(separator: "; "),
            parameter: unknown.first ?? missing.first?.parameter.name,
            unknown: Array(unknown.prefix(10))
        )
    }
}
