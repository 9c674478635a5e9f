import Contract
import Domain
import JSON
import JSONRPC

extension SlotMethods {
    static let schema = ObjectSchema([
        .init("slots", Schemas.array(of: slotSchema)),
        .init("source", Schemas.oneOf(["server", "computed"])),
        .init(
            "assumedSlotMinutes",
            Schemas.integer,
            "the salon states no length; appointments may also begin at other times",
            isRequired: false
        ),
        .init(
            Schemas.provenance.name,
            Schemas.provenance.schema,
            "where the known bookings came from, when computed",
            isRequired: false
        ),
        .init(
            "explanation",
            .object(explanationSchema),
            "of the time to explain",
            isRequired: false
        ),
    ])

    private static let slotSchema = ObjectSchema([
        .init("start", Schemas.string, "in UTC"),
        .init("localStart", Schemas.string, "on the salon's wall clock, as a booking takes it"),
        .init("offset", Schemas.string, "of the wall clock from UTC"),
        .init("zone", Schemas.string, "the salon's time zone, if it has one", isRequired: false),
        .init("weekday", Schemas.string, "on the salon's wall clock"),
        .init("end", Schemas.string, "in UTC"),
        .init(
            "available",
            Schemas.boolean,
            "whether it can be booked; absent if the bookings are not known",
            isRequired: false
        ),
    ]).named("Slot")

    private static let explanationSchema = ObjectSchema(
        TimeView.schema.properties + [
            .init("bookable", Schemas.boolean),
            .init("rule", Schemas.oneOf(BlockingRule.names), "what blocks it", isRequired: false),
            .init("reason", Schemas.string, isRequired: false),
            .init("alternatives", Schemas.array(of: Schemas.string), isRequired: false),
        ]
    ).named("SlotExplanation")

    static func reply(with availability: Availability) -> JSONFragment {
        let zone = availability.salon.timeZone
        return JSONFragment { writer in
            writer.object { writer in
                writer.key("slots")
                writer.array { writer in
                    for slot in availability.slots {
                        write(slot, availability.areBookingsKnown, zone, to: &writer)
                    }
                }
                switch availability.source {
                case .server: writer.member("source", "server")
                case .computed(let provenance):
                    writer.member("source", "computed")
                    LoadReply.write(provenance, to: &writer)
                }
                writer.member("assumedSlotMinutes", availability.assumedSlotMinutes)
                if let explanation = availability.explanation {
                    writer.key("explanation")
                    write(explanation, of: availability.salon, to: &writer)
                }
            }
        }
    }

    private static func write(
        _ slot: Slot,
        _ areBookingsKnown: Bool,
        _ zone: ZoneID?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            TimeView(slot.start, zone: zone).write(to: &writer, utc: "start", local: "localStart")
            writer.member("end", ISO8601.formatUTC(slot.end.instant))
            if areBookingsKnown || !slot.isAvailable {
                writer.member("available", slot.isAvailable)
            }
        }
    }

    private static func write(
        _ explanation: Availability.Explanation,
        of salon: Salon,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            let view = TimeView(explanation.time, zone: salon.timeZone)
            view.write(to: &writer, utc: "utc", local: "local")
            writer.member("bookable", explanation.rule == nil)
            guard let rule = explanation.rule else { return }
            writer.member("rule", rule.name)
            writer.member("reason", rule.reason(for: explanation.time, in: salon))
            writer.times(explanation.alternatives, as: "alternatives")
        }
    }
}
