import Contract
import JSON

/// Replaces the values of a salon that its codecs reject, and collects what is wrong with them.
struct SalonRepair {
    private typealias Mismatch = (path: String, expected: String)
    private typealias Reader = @Sendable (JSONValue) throws(JSONError) -> Void

    /// The readers of the values that are repaired separately: the salon, and the elements of its
    /// lists. The keys are the paths of these values, without indexes.
    private static let readers: [String: Reader] = [
        "": reader(SalonCodec.self),
        "exceptions[]": reader(OpeningExceptionCodec.self),
        "services[]": reader(ServiceCodec.self),
        "staff[]": reader(StaffMemberCodec.self),
        "staff[].services[]": reader(LocalIDCodec.self),
        "staff[].exceptions[]": reader(OpeningExceptionCodec.self),
    ]
    private static func reader<Codec: ModelCodec>(_ codec: Codec.Type) -> Reader {
        { value throws(JSONError) in _ = try Codec.read(value) }
    }
    /// The maximum number of problems that are reported for the hours of a week or a day, because
    /// finding the path of a value takes time proportional to the length of the text before it.
    private static let maximumHoursMismatches = 100

    let sample: SampleSalon
    /// What was found.
    var result: SalonReader.Result

    /// The value at a path, with valid values instead of those that its codec rejects.
    ///
    /// - Parameter additions: Members that replace those of the value.
    mutating func repair(
        _ value: JSONValue,
        at path: String,
        adding additions: [String: JSONFragment] = [:]
    ) throws(JSONError) -> JSONValue {
        let general = path.withoutIndexes
        guard let reader = Self.readers[general] else { return value }
        if additions.isEmpty, (try? reader(value)) != nil { return value }
        let start = result.mismatches.count
        let lists = try repairLists(of: value, at: path)
        let repaired = try repairMembers(of: value, at: path, additions, lists.keys, reader)
        if lists.isEmpty { return repaired }
        sortMismatches(from: start, by: sample.names[general] ?? [], at: path)
        return try repaired.replacing(lists)
    }

    /// Sorts the mismatches in a value by the order of its members.
    private mutating func sortMismatches(from start: Int, by names: [String], at path: String) {
        let groups = Dictionary(grouping: result.mismatches[start...]) {
            $0.path.memberName(below: path)
        }
        let others = groups.keys.filter { !names.contains($0) }
        let sorted = (names + others).flatMap { groups[$0] ?? [] }
        result.mismatches.replaceSubrange(start..., with: sorted)
    }

    // MARK: Lists

    /// The members of a value whose elements are repaired separately.
    private mutating func repairLists(
        of value: JSONValue,
        at path: String
    ) throws(JSONError) -> [String: JSONFragment] {
        var lists: [String: JSONFragment] = [:]
        guard let object = try? value.object() else { return lists }
        for name in sample.names[path.withoutIndexes] ?? [] {
            let list = path.appending(path: name)
            guard Self.readers["\(list.withoutIndexes)[]"] != nil,
                let array = try? object.optional(named: name)?.array()
            else { continue }
            lists[name] = try repairElements(of: array, at: list)
        }
        return lists
    }

    private mutating func repairElements(
        of array: JSONArray,
        at list: String
    ) throws(JSONError) -> JSONFragment {
        var elements: [JSONValue] = []
        for (index, element) in array.enumerated() {
            elements.append(try repair(element, at: "\(list)[\(index)]"))
        }
        try repairRepeatedIDs(of: &elements, at: list)
        return JSONFragment { writer in
            writer.array { writer in for element in elements { writer.value(element) } }
        }
    }

    /// Replaces ids that earlier elements have, too, if they must be unique.
    private mutating func repairRepeatedIDs(
        of elements: inout [JSONValue],
        at list: String
    ) throws(JSONError) {
        guard let expected = sample.uniqueIDs[list] else { return }
        var ids: Set<String> = []
        for (index, element) in elements.enumerated() {
            let id = try element.object().required("id").string()
            if ids.insert(id).inserted { continue }
            let path = "\(list)[\(index)].id"
            result.mismatches.append((path, expected))
            result.replacedPaths.insert(path)
            guard let replacement = sample.replacement(at: path) else { continue }
            elements[index] = try element.replacing(["id": replacement])
        }
    }

    // MARK: Members

    /// Replaces what a reader rejects, one value after the other. The text of the result contains
    /// nothing else, so that the paths of its mismatches begin at the value.
    ///
    /// - Parameter lists: The members that are repaired separately. They are empty in the result.
    private mutating func repairMembers(
        of value: JSONValue,
        at base: String,
        _ additions: [String: JSONFragment],
        _ lists: some Collection<String>,
        _ reader: Reader
    ) throws(JSONError) -> JSONValue {
        var replacements = additions
        for name in lists { replacements[name] = JSONFragment { $0.array { _ in } } }
        while true {
            let repaired = try value.replacing(replacements)
            do {
                try reader(repaired)
                for path in replacements.keys where !lists.contains(path) {
                    result.replacedPaths.insert(base.appending(path: path))
                }
                return repaired
            } catch .mismatch(let location, let expected) {
                var path = location.description
                if let hours = hours(at: path, in: repaired, base), replacements[hours.name] == nil
                {
                    result.mismatches += hours.mismatches
                    path = hours.name
                } else if replacements[path] == nil {
                    result.mismatches.append((base.appending(path: path), expected))
                }
                // A mismatch that remains, or is at an unknown place, is due to its parent.
                while replacements[path] != nil || replacement(at: path, base) == nil {
                    if path.isEmpty { throw .mismatch(path: location, expected: expected) }
                    path = path.parentPath
                }
                replacements[path] = replacement(at: path, base)
            }
        }
    }

    private func replacement(at path: String, _ base: String) -> JSONFragment? {
        sample.replacement(at: base.appending(path: path))
    }

    /// The hours of a week or a day that contain a path, and what is wrong with them; nil if the path
    /// is not in hours.
    private func hours(
        at path: String,
        in value: JSONValue,
        _ base: String
    ) -> (name: String, mismatches: [Mismatch])? {
        let name = path.memberName(below: "")
        let general = base.appending(path: name).withoutIndexes
        guard let hours = (try? value.object())?.member(named: name) else { return nil }
        var errors: [JSONError] = []
        if SampleSalon.weeklyPaths.contains(general) {
            _ = WeeklyHoursCodec.read(hours, collecting: &errors)
        } else if SampleSalon.dayPaths.contains(general) {
            _ = DayHoursCodec.read(hours, collecting: &errors)
        }
        var mismatches: [Mismatch] = []
        for case .mismatch(let path, let expected) in errors.prefix(Self.maximumHoursMismatches) {
            mismatches.append((base.appending(path: path.description), expected))
        }
        return mismatches.isEmpty ? nil : (name, mismatches)
    }
}
