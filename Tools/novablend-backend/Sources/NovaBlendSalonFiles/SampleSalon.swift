import Contract
import Domain
import JSON

/// The JSON of a salon that has every member. Its members are the ones that ``SalonCodec`` knows,
/// and its values replace those that the codec rejects.
struct SampleSalon {
    /// The names of the members of each object, by the object's path without indexes. The first
    /// path is empty, for the salon itself.
    private(set) var names: [String: [String]] = [:]
    /// Each value by its path without indexes, such as `exceptions[].date`.
    private(set) var values: [String: JSONFragment] = [:]
    /// What an id must be if an earlier element of its list has the same one, by the list's path.
    private(set) var uniqueIDs: [String: String] = [:]

    static let salon: Salon = {
        let hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 9 * 60),
            closes: TimeOfDay(minuteOfDay: 18 * 60)
        )
        let breaks = [
            OpeningHours(opens: hours.opens, closes: TimeOfDay(minuteOfDay: 12 * 60)),
            OpeningHours(opens: TimeOfDay(minuteOfDay: 13 * 60), closes: hours.closes),
        ]
        let weekly = WeeklyHours(
            Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, breaks) })
        )
        let exceptions = [[], [hours], breaks].enumerated().map { index, hours in
            let first = CalendarDate(daysSince1970: 7 * index)
            return OpeningException(dates: first...first.advanced(byDays: index), hours: hours)
        }
        return Salon(
            id: SalonID(high: 0, low: 0),
            name: "Salon",
            location: "Berlin",
            aliases: ["Spree"],
            phone: "030",
            hours: hours,
            slotMinutes: 30,
            timeZone: ZoneID("Europe/Berlin"),
            exceptions: exceptions,
            leadMinutes: 1,
            furthestDays: 1,
            customerLimits: CustomerLimits(active: 1, perDay: 1),
            version: 1,
            weekly: weekly,
            services: [
                Service(
                    id: "cut",
                    name: "Cut",
                    minutes: 45,
                    bufferBefore: 5,
                    bufferAfter: 10,
                    price: Price(amount: 4_500, currency: "EUR")
                )
            ],
            staff: [
                StaffMember(
                    id: "ana",
                    name: "Ana",
                    services: ["cut"],
                    weekly: weekly,
                    exceptions: exceptions
                )
            ],
            seats: 1
        )
    }()

    init() {
        if let document = try? JSONDocument(parsing: SalonCodec.encode(Self.salon)) {
            add(document.root, at: "")
            for name in names[""] ?? [] { uniqueIDs[name] = uniqueID(in: name, of: document.root) }
        }
    }

    /// What the codec says about two equal elements of a list; nil if it accepts them.
    private func uniqueID(in list: String, of salon: JSONValue) -> String? {
        guard let element = values["\(list)[]"] else { return nil }
        let elements = JSONFragment { writer in
            writer.array { for _ in 0..<2 { $0.raw(element) } }
        }
        do {
            _ = try SalonCodec.read(salon.replacing([list: elements]))
        } catch .mismatch("\(list)[1].id", let expected) {
            return expected
        } catch {}
        return nil
    }

    /// A valid value for a path of a salon; nil if the path is unknown. Hours are replaced as a whole,
    /// by none, and ids are unique, so that the replacement makes no other value invalid.
    func replacement(at path: String) -> JSONFragment? {
        let general = path.withoutIndexes
        switch general {
        case _ where Self.weeklyPaths.contains(general): return .emptyObject
        case _ where Self.dayPaths.contains(general): return JSONFragment { $0.array { _ in } }
        case "services[].id", "staff[].id": return JSONFragment { $0.string(path) }
        case "services[]", "staff[]":
            guard let value = values[general],
                let root = try? JSONDocument(parsing: value.bytes).root
            else { return nil }
            let id = JSONFragment { $0.string(path) }
            return (try? root.replacing(["id": id])).map { value in
                JSONFragment { $0.value(value) }
            }
        default: return values[general]
        }
    }

    /// The paths, without indexes, of values that ``WeeklyHoursCodec`` reads.
    static let weeklyPaths: Set = ["weekly", "staff[].weekly"]
    /// The paths, without indexes, of values that ``DayHoursCodec`` reads.
    static let dayPaths: Set = ["exceptions[].intervals", "staff[].exceptions[].intervals"]

    private mutating func add(_ value: JSONValue, at path: String) {
        if values[path] == nil { values[path] = JSONFragment { $0.value(value) } }
        if let array = try? value.array() {
            for element in array { add(element, at: "\(path)[]") }
        }
        guard let object = try? value.object() else { return }
        for (name, member) in object {
            if names[path]?.contains(name) != true { names[path, default: []].append(name) }
            add(member, at: path.appending(member: name))
        }
    }
}
