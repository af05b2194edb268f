/* The C engine: runs the packed tables of `automata/packed.py` over one text at a time.
 *
 * Of the RFCs it has only the steps that resolve a reference, which cite their sections.  An invalid text is None
 * or False; Python makes the exception.  What the engine cannot answer it asks `pure`, an object in Python with
 * the same methods: subclasses of str, very long texts, resolutions with several admissible results.
 */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Most characters of a text (positions have 32 bits) and of one that may not be ASCII (CPython keeps a UTF-8 copy
 * in it), most bytes of a resolved reference without an allocation and of a scheme that is known, most schemes. */
enum { LONGEST = INT32_MAX, COPIED = 4096, ON_STACK = 1024, NAME = sizeof(uint64_t), CHOICES = 15 };
enum { BYTES = 256, CLASSES = 32, COMPONENTS = 8, FINAL = 1 + 2 * COMPONENTS, SLOTS = 32 };
enum { SINK, DISCARD = 0, END = 1 };
enum { MAGIC, STATES, START, SPLIT_STATES, SPLIT_START, WIDTH, USED_SLOTS, SIZE, HEADER, LAYOUT = 0x55524C32 };

/* Next state << 8 | slot, and a bit for each class that changes nothing in the next state. */
typedef struct {
    uint32_t next, loops;
} Cell;
typedef Cell State[CLASSES];

typedef struct {
    const uint8_t *classes, *split_classes, *accepting, *finals, *offsets;
    const State *states, *split_states;
    Cell start, split_start; /* into the states in which a text begins */
    uint32_t width;
} Table;

/* A text, followed by a zero byte, or a part of one; `bytes` is NULL if the part is absent. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t length;
} Text;

/* The places of a component; an absent one begins before the text, or ends before it begins. */
typedef struct {
    int32_t begin, end;
} Span;
static const Span ABSENT = {-1, -1};
static bool is_absent(Span span) { return span.begin < 0 || span.begin > span.end; }

/* Check that the classes are in range and that no text can run over its final zero byte. */
static bool sound_classes(const uint8_t *classes) {
    for (int byte = 0; byte < BYTES; byte++)
        if (classes[byte] >= CLASSES || (classes[byte] != 0 && (byte == 0 || byte >= 128))) return false;
    return true;
}

/* Return a cell that leads into a state. */
static Cell into(const State *states, uint32_t state) {
    Cell cell = {state << 8 | DISCARD, 0};
    for (int kind = 0; kind < CLASSES && state != SINK; kind++)
        cell.loops |= (uint32_t)(states[state][kind].next == cell.next) << kind;
    return cell;
}

/* Check that states and slots are in range, that class 0 and the sink lead to the sink, and set the first cell. */
static bool sound_states(const State *states, uint32_t count, uint32_t start, uint32_t slots, Cell *first) {
    for (uint32_t state = 0; state < count; state++)
        for (int kind = 0; kind < CLASSES; kind++) {
            uint32_t cell = states[state][kind].next;
            bool to_sink = state == SINK || kind == 0;
            if (cell >> 8 >= count || (cell & 0xFF) >= slots || (to_sink && cell >> 8 != SINK) ||
                states[state][kind].loops != into(states, cell >> 8).loops)
                return false;
        }
    if (start < count) *first = into(states, start);
    return start < count;
}

/* Point into a packed table.  Return false if reading it could leave its bounds. */
static bool load_table(Table *table, const char *packed, Py_ssize_t size) {
    uint32_t header[HEADER];
    if (size < (Py_ssize_t)sizeof header || (uintptr_t)packed % sizeof(uint32_t) != 0) return false;
    memcpy(header, packed, sizeof header);
    uint64_t states = header[STATES], split_states = header[SPLIT_STATES];
    uint64_t expected = sizeof header + 2 * BYTES + (states + split_states) * sizeof(State) + states +
                        split_states * FINAL + COMPONENTS;
    if (header[MAGIC] != LAYOUT || header[SIZE] != (uint64_t)size || expected != (uint64_t)size) return false;
    if (header[WIDTH] > COMPONENTS || header[USED_SLOTS] > SLOTS || !header[WIDTH] != !split_states ||
        (split_states && header[USED_SLOTS] <= END))
        return false;
    table->classes = (const uint8_t *)packed + sizeof header;
    table->split_classes = table->classes + BYTES;
    table->states = (const State *)(table->split_classes + BYTES);
    table->split_states = table->states + states;
    table->accepting = (const uint8_t *)(table->split_states + split_states);
    table->finals = table->accepting + states;
    table->offsets = table->finals + split_states * FINAL;
    table->width = header[WIDTH];
    for (uint64_t place = 0; place < split_states * FINAL; place++)
        if (table->finals[place] >= (place % FINAL ? header[USED_SLOTS] : 2)) return false;
    return sound_classes(table->classes) && sound_classes(table->split_classes) &&
           sound_states(table->states, header[STATES], header[START], DISCARD + 1, &table->start) &&
           (!split_states || sound_states(table->split_states, header[SPLIT_STATES], header[SPLIT_START],
                                          header[USED_SLOTS], &table->split_start));
}

/* Return the length of the longest prefix with which a member begins, and the state after it. */
static Py_ssize_t longest_viable_prefix(const Table *table, Text text, uint32_t *last) {
    const uint8_t *next = text.bytes;
    Cell cell = table->start;
    for (uint32_t state; (state = cell.next >> 8) != SINK;) {
        uint8_t kind = table->classes[*next++];
        while (cell.loops >> kind & 1) kind = table->classes[*next++];
        cell = table->states[state][kind];
        *last = state;
    }
    return next == text.bytes ? 0 : next - 1 - text.bytes;
}

static bool accepts(const Table *table, Text text) {
    uint32_t last = SINK;
    return longest_viable_prefix(table, text, &last) == text.length && table->accepting[last];
}

/* Find the components.  Return false if the text is invalid. */
static bool split(const Table *table, Text text, Span spans[COMPONENTS]) {
    int32_t slots[SLOTS];
    memset(slots, -1, sizeof slots);
    const uint8_t *next = text.bytes;
    uint32_t state = SINK;
    for (Cell cell = table->split_start; cell.next >> 8 != SINK;) {
        slots[cell.next & 0xFF] = (int32_t)(next - text.bytes) - 1; /* of the character that led here */
        state = cell.next >> 8;
        uint8_t kind = table->split_classes[*next++];
        while (cell.loops >> kind & 1) kind = table->split_classes[*next++];
        cell = table->split_states[state][kind];
    }
    slots[END] = (int32_t)text.length;
    const uint8_t *final = table->finals + (size_t)state * FINAL;
    if (next - 1 - text.bytes != text.length || !*final++) return false;
    for (uint32_t index = table->width; index < COMPONENTS; index++) spans[index] = ABSENT;
    for (uint32_t index = 0; index < table->width; index++, final += 2)
        spans[index] = (Span){(int32_t)((uint32_t)slots[final[0]] + table->offsets[index]), slots[final[1]]};
    return true;
}

/* Views: a text with the places of its components, each of which is made when it is asked for. */

typedef struct {
    PyObject_HEAD
    PyObject *text;
    Span spans[COMPONENTS];
} View;

static PyObject *View_component(PyObject *self, void *closure) {
    Span span = ((View *)self)->spans[(intptr_t)closure];
    return is_absent(span) ? Py_NewRef(Py_None) : PyUnicode_Substring(((View *)self)->text, span.begin, span.end);
}

static void View_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((View *)self)->text);
    PyObject_Free(self);
    Py_DECREF(type);
}

#define COMPONENT(number) {"component_" #number, View_component, NULL, NULL, (void *)(intptr_t)(number)}
static PyGetSetDef View_components[] = {
    COMPONENT(0), COMPONENT(1), COMPONENT(2), COMPONENT(3), COMPONENT(4), COMPONENT(5), COMPONENT(6), COMPONENT(7), {0},
};
static PyType_Slot View_slots[] = {{Py_tp_dealloc, (void *)View_dealloc}, {Py_tp_getset, View_components}, {0, NULL}};

enum { SCHEME, AUTHORITY, PATH, PARAMS, QUERY, FRAGMENT, PARTS };
enum { KIND, VIEW, RESOLUTION, PURE, PACKED, OBJECTS };

typedef struct {
    char *bytes, *end;
    PyObject *base, *reference, *verbatim; /* borrowed */
    bool same_document;
    char *excess, *after_excess, *end_of_path; /* `..` segments at the beginning of a path */
} Target;

/* A scheme of at most eight letters, and its reader or itself. */
typedef struct {
    PyObject *object;
    Py_ssize_t length;
    uint64_t name, mask; /* the mask has ones where the name has letters */
} Scheme;

typedef struct Reader {
    PyObject_HEAD
    Table table;
    PyObject *objects[OBJECTS]; /* three classes or NULL, the object to ask, what the table points into */
    Scheme choices[CHOICES + 1], recent[NAME + 1]; /* for `choose`; by length, for `first_component` */
    bool (*resolve)(Target *target, const Text *base, const Text *reference);
    uint8_t order[PARTS]; /* the component that is the scheme, the authority, ... */
} Reader;

/* Get the text as bytes.  Return 1, 0 if Python must answer, or -1 with an exception. */
static int get_text(PyObject *object, Text *text) {
    if (!PyUnicode_CheckExact(object)) return 0;
    if (PyUnicode_GetLength(object) > COPIED) {
        PyObject *ascii = PyObject_CallMethod(object, "isascii", NULL);
        Py_XDECREF(ascii); /* True and False are never freed */
        if (ascii != Py_True) return ascii == NULL ? -1 : 0;
    }
    const char *bytes = PyUnicode_AsUTF8AndSize(object, &text->length);
    if (bytes == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
        PyErr_Clear();
        return 0;
    }
    text->bytes = (const uint8_t *)bytes;
    return text->length <= LONGEST;
}

/* Return the first bytes of a text as a number, with zeros after the last. */
static uint64_t beginning(Text text) {
    uint64_t name = 0;
    if (text.length >= NAME)
        memcpy(&name, text.bytes, NAME);
    else
        memcpy(&name, text.bytes, (size_t)text.length);
    return name;
}

/* Return the reader of the scheme of a text; its name has small letters only, which bit 0x20 tells from others. */
static Reader *choose(Reader *self, Text text) {
    if (self->choices->object == NULL) return self;
    uint64_t name = beginning(text) | 0x2020202020202020;
    for (const Scheme *choice = self->choices; choice->object != NULL; choice++)
        if (((name ^ choice->name) & choice->mask) == 0 && text.bytes[choice->length] == ':')
            return (Reader *)choice->object;
    return self;
}

static PyObject *ask(PyObject *self, const char *method, PyObject *text) {
    return PyObject_CallMethod(((Reader *)self)->objects[PURE], method, "O", text);
}

static PyObject *Reader_accepts(PyObject *self, PyObject *object) {
    Text text;
    int known = get_text(object, &text);
    if (known <= 0) return known ? NULL : ask(self, "accepts", object);
    return Py_NewRef(accepts(&choose((Reader *)self, text)->table, text) ? Py_True : Py_False);
}

static PyObject *Reader_offset(PyObject *self, PyObject *object) {
    Text text;
    uint32_t last;
    int known = get_text(object, &text);
    if (known <= 0) return known ? NULL : ask(self, "offset", object);
    return PyLong_FromSsize_t(longest_viable_prefix(&choose((Reader *)self, text)->table, text, &last));
}

/* Split a text.  Return the reader that did, or NULL with the answer: None, that of Python, or an error. */
static Reader *find(PyObject *self, PyObject *object, int class, Text *text, Span *spans, PyObject **answer) {
    int known = get_text(object, text);
    Reader *reader = known > 0 ? choose((Reader *)self, *text) : NULL;
    if (reader == NULL || reader->objects[class] == NULL)
        *answer = known < 0 ? NULL : ask(self, class == KIND ? "read" : "view", object);
    else if (split(&reader->table, *text, spans))
        return reader;
    else
        *answer = Py_NewRef(Py_None);
    return NULL;
}

/* Return a tuple of the first items as an instance of a class that has the layout of tuples. */
static PyObject *make(const Reader *reader, int class, uint32_t count, PyObject *const *items) {
    PyObject *made =
        PyTuple_Pack(count, items[0], items[1], items[2], items[3], items[4], items[5], items[6], items[7]);
    if (made != NULL) Py_SET_TYPE(made, (PyTypeObject *)Py_NewRef(reader->objects[class]));
    return made;
}

/* Return the first component, which is mostly a scheme that was seen before. */
static PyObject *first_component(Reader *self, PyObject *object, Text text, Span span) {
    int32_t length = span.end - span.begin;
    if (length > NAME) return PyUnicode_Substring(object, span.begin, span.end);
    uint64_t name = beginning((Text){text.bytes + span.begin, text.length - span.begin});
    Scheme *recent = &self->recent[length];
    if (recent->object == NULL || ((name ^ recent->name) & recent->mask) != 0) {
        PyObject *made = PyUnicode_Substring(object, span.begin, span.end);
        if (made == NULL) return NULL;
        Py_XDECREF(recent->object);
        recent->object = made;
        recent->name = name;
        memset(&recent->mask, 0xFF, (size_t)length);
    }
    return Py_NewRef(recent->object);
}

static PyObject *Reader_read(PyObject *self, PyObject *object) {
    Text text;
    Span spans[COMPONENTS], last = ABSENT;
    PyObject *answer, *items[COMPONENTS] = {NULL}, *owned[COMPONENTS];
    uint32_t index = 0, count = 0;
    Reader *reader = find(self, object, KIND, &text, spans, &answer);
    if (reader == NULL) return answer;
    for (; index < reader->table.width; index++) {
        Span span = spans[index];
        items[index] = Py_None;
        if (is_absent(span)) continue;
        if (span.begin != last.begin || span.end != last.end) { /* or it is a host that is the whole authority */
            owned[count] = index == 0 ? first_component(reader, object, text, span)
                                      : PyUnicode_Substring(object, span.begin, span.end);
            if (owned[count++] == NULL) break;
            last = span;
        }
        items[index] = owned[count - 1];
    }
    answer = index < reader->table.width ? NULL : make(reader, KIND, index, items);
    while (count > 0) Py_XDECREF(owned[--count]);
    return answer;
}

static PyObject *Reader_view(PyObject *self, PyObject *object) {
    Text text;
    Span spans[COMPONENTS];
    PyObject *answer;
    Reader *reader = find(self, object, VIEW, &text, spans, &answer);
    if (reader == NULL) return answer;
    View *view = PyObject_New(View, (PyTypeObject *)reader->objects[VIEW]);
    if (view == NULL) return NULL;
    memcpy(view->spans, spans, sizeof spans);
    view->text = Py_NewRef(object);
    return (PyObject *)view;
}

/* Resolution: a target is built in `bytes`, or is one of the given texts. */

static bool starts_with(const char *begin, const char *end, const char *prefix) {
    size_t length = strlen(prefix);
    return (size_t)(end - begin) >= length && memcmp(begin, prefix, length) == 0;
}

static bool is_equal(const char *begin, const char *end, const char *text) {
    return (size_t)(end - begin) == strlen(text) && starts_with(begin, end, text);
}

/* RFC 3986, section 5.2.4; the output buffer begins at `path` and never reaches the input buffer. */
static char *remove_dot_segments(char *path, char *end) {
    char *in = path, *out = path;
    while (in < end) {
        bool dots = starts_with(in, end, "/../") || is_equal(in, end, "/..");
        if (starts_with(in, end, "../")) /* 2A */
            in += 3;
        else if (starts_with(in, end, "./"))
            in += 2;
        else if (dots || starts_with(in, end, "/./") || is_equal(in, end, "/.")) { /* 2B, 2C */
            in += dots ? 3 : 2;
            if (in == end) *--in = '/';
            while (dots && out > path) dots = *--out != '/';
        } else if (is_equal(in, end, ".") || is_equal(in, end, "..")) /* 2D */
            in = end;
        else /* 2E */
            for (*out++ = *in++; in < end && *in != '/';) *out++ = *in++;
    }
    return out;
}

/* RFC 1808, section 4, step 6, a to d, and RFC 2396, section 5.2, step 6, c to f. */
static char *remove_dots(char *path, char *end) {
    char *first = path + (path < end && *path == '/');
    char *in = first, *out = first; /* before `out` are kept segments, each with its slash */
    for (;;) {
        char *slash = memchr(in, '/', (size_t)(end - in));
        char *stop = slash == NULL ? end : slash;
        bool after_dots = out - first >= 3 && memcmp(out - 3, "../", 3) == 0 && (out - first == 3 || out[-4] == '/');
        if (is_equal(in, stop, "..") && out > first && !after_dots) {
            for (out--; out > first && out[-1] != '/';) out--;
        } else if (!is_equal(in, stop, ".")) {
            size_t length = (size_t)(stop - in) + (slash != NULL);
            memmove(out, in, length);
            out += length;
        }
        if (slash == NULL) return out;
        in = slash + 1;
    }
}

static void put(Target *target, const char *delimiter, Text part) {
    if (part.bytes == NULL) return;
    while (*delimiter) *target->end++ = *delimiter++;
    memcpy(target->end, part.bytes, (size_t)part.length);
    target->end += part.length;
}

static char *put_head(Target *target, Text scheme, Text authority) {
    put(target, "", scheme);
    *target->end++ = ':';
    put(target, "//", authority);
    return target->end;
}

static void put_tail(Target *target, Text params, Text query, Text fragment) {
    put(target, ";", params);
    put(target, "?", query);
    put(target, "#", fragment);
}

/* The beginning of a path, up to and including its last slash. */
static Text directory(Text path) {
    while (path.length > 0 && path.bytes[path.length - 1] != '/') path.length--;
    return path;
}
static bool is_rooted(Text path) { return path.length > 0 && path.bytes[0] == '/'; }

static bool same_scheme(Text one, Text other) {
    Py_ssize_t left = one.length == other.length ? one.length : -1;
    while (left > 0 && (one.bytes[left - 1] | 0x20) == (other.bytes[left - 1] | 0x20)) left--;
    return left == 0;
}

/* RFC 3986, sections 5.2.2 and 5.2.3.  Like the other two, return false if Python must answer. */
static bool resolve_rfc3986(Target *target, const Text base[PARTS], const Text reference[PARTS]) {
    Text scheme = reference[SCHEME], authority = reference[AUTHORITY], path = reference[PATH];
    Text query = reference[QUERY], before = {NULL, 0};
    bool inherited = scheme.bytes == NULL && authority.bytes == NULL;
    if (scheme.bytes != NULL && same_scheme(scheme, base[SCHEME])) return false;
    if (inherited) {
        authority = base[AUTHORITY];
        if (path.length == 0) {
            path = base[PATH];
            query = query.bytes == NULL ? base[QUERY] : query;
        } else if (!is_rooted(path)) {
            bool empty = authority.bytes != NULL && base[PATH].length == 0;
            before = empty ? (Text){(const uint8_t *)"/", 1} : directory(base[PATH]);
        }
    }
    char *begin = put_head(target, scheme.bytes == NULL ? base[SCHEME] : scheme, authority);
    put(target, "", before);
    put(target, "", path);
    char *end = remove_dot_segments(begin, target->end);
    if (inherited && reference[PATH].length == 0 && end != target->end) return false; /* not normalized */
    if (authority.bytes == NULL && starts_with(begin, end, "//")) return false;
    target->end = end;
    put_tail(target, reference[PARAMS], query, reference[FRAGMENT]);
    return true;
}

/* RFC 2396, section 5.2. */
static bool resolve_rfc2396(Target *target, const Text base[PARTS], const Text reference[PARTS]) {
    Text authority = reference[AUTHORITY], path = reference[PATH], query = reference[QUERY];
    bool inherited = authority.bytes == NULL, relative = inherited && !is_rooted(path);
    if (reference[SCHEME].bytes != NULL) { /* step 3 */
        target->verbatim = target->reference;
        return !same_scheme(reference[SCHEME], base[SCHEME]);
    }
    char *begin = put_head(target, base[SCHEME], inherited ? base[AUTHORITY] : authority);
    target->same_document = inherited && path.length == 0 && query.bytes == NULL;
    if (target->same_document) { /* step 2 */
        put(target, "", base[PATH]);
        put_tail(target, base[PARAMS], base[QUERY], reference[FRAGMENT]);
        return true;
    }
    if (inherited && !is_rooted(base[PATH]) && (relative || base[AUTHORITY].bytes == NULL))
        return false;                                         /* an opaque base, or one whose path is empty */
    put(target, "", relative ? directory(base[PATH]) : path); /* steps 4 and 5 */
    if (relative) {                                           /* step 6 */
        put(target, "", path);
        target->end = remove_dots(begin, target->end);
        target->excess = target->after_excess = begin;
        target->end_of_path = target->end;
        while (starts_with(target->after_excess, target->end, "/../") ||
               is_equal(target->after_excess, target->end, "/.."))
            target->after_excess += 3;
    }
    put_tail(target, reference[PARAMS], query, reference[FRAGMENT]);
    return true;
}

/* RFC 1808, section 4. */
static bool resolve_rfc1808(Target *target, const Text base[PARTS], const Text reference[PARTS]) {
    Text net_loc = reference[AUTHORITY], path = reference[PATH], params = reference[PARAMS];
    Text query = reference[QUERY], before = {NULL, 0};
    bool whole = PyUnicode_GetLength(target->reference) == 0; /* step 2a */
    if (whole || reference[SCHEME].bytes != NULL) {           /* step 2b */
        target->verbatim = whole ? target->base : target->reference;
        return true;
    }
    bool inherited = net_loc.bytes == NULL, relative = inherited && path.length > 0 && !is_rooted(path);
    if (inherited) { /* step 3 */
        net_loc = base[AUTHORITY];
        bool appended = relative || (path.length == 0 && params.length + query.length > 0);
        if (appended && net_loc.bytes != NULL && base[PATH].length == 0) return false;
        if (relative) before = directory(base[PATH]); /* step 6 */
        if (path.length == 0) {                       /* step 5 */
            path = base[PATH];
            query = params.length + query.length > 0 ? query : base[QUERY];
            params = params.length > 0 ? params : base[PARAMS];
        }
    }
    const Text parts[] = {net_loc, params, query, reference[FRAGMENT]};
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index++)
        if (parts[index].bytes != NULL && parts[index].length == 0) return false;
    char *begin = put_head(target, base[SCHEME], net_loc);
    put(target, "", before);
    put(target, "", path);
    if (relative) target->end = remove_dots(begin, target->end);
    put_tail(target, params, query, reference[FRAGMENT]);
    return true;
}

/* Find the parts of a base or reference, in order.  Return false if it is invalid. */
static bool find_parts(const Reader *self, Text text, Text parts[PARTS]) {
    Span spans[COMPONENTS + 1], last = {0, 0};
    spans[COMPONENTS] = ABSENT;
    if (!split(&self->table, text, spans)) return false;
    for (int part = 0; part < PARTS; part++) {
        Span span = spans[self->order[part]];
        bool present = !is_absent(span);
        if (present && span.begin < last.end) return false; /* no table of ours does this */
        if (present) last = span;
        parts[part] = (Text){present ? text.bytes + span.begin : NULL, present ? span.end - span.begin : 0};
    }
    return true;
}

static PyObject *make_resolution(const Reader *self, Target *target) {
    PyObject *text = Py_XNewRef(target->verbatim), *made = NULL;
    if (text == NULL) text = PyUnicode_FromStringAndSize(target->bytes, target->end - target->bytes);
    if (text != NULL && target->after_excess > target->excess) { /* RFC 2396, section 5.2, step 6g */
        char *begin = target->after_excess < target->end_of_path ? target->after_excess : target->end_of_path - 1;
        *begin = '/';
        memmove(target->excess, begin, (size_t)(target->end - begin));
        made = PyObject_CallMethod(self->objects[PURE], "excess", "Os#", text, target->bytes,
                                   target->end - begin + target->excess - target->bytes);
    } else if (text != NULL) {
        PyObject *none = PyTuple_New(0), *items[COMPONENTS] = {text, none, target->same_document ? Py_True : Py_False};
        made = none == NULL ? NULL : make(self, RESOLUTION, 3, items);
        Py_XDECREF(none);
    }
    Py_XDECREF(text);
    return made;
}

/* Resolve a valid reference against a valid base.  Return NULL without an exception if Python must answer. */
static PyObject *resolve(const Reader *self, PyObject *const texts[2]) {
    Text base, reference;
    Text base_parts[PARTS], parts[PARTS];
    char stack[ON_STACK];
    Target target = {stack, stack, texts[0], texts[1], NULL, false, NULL, NULL, NULL};
    PyObject *found = NULL;
    if (self->resolve == NULL || get_text(texts[0], &base) <= 0 || get_text(texts[1], &reference) <= 0 ||
        !find_parts(self, reference, parts) || !find_parts(self, base, base_parts) || base_parts[SCHEME].bytes == NULL)
        return NULL;
    /* a colon, two slashes, the slash of an empty path, and three delimiters */
    Py_ssize_t room = base.length + reference.length + 7;
    if (room > ON_STACK) target.bytes = target.end = PyMem_Malloc((size_t)room);
    if (target.bytes == NULL) return PyErr_NoMemory();
    if (self->resolve(&target, base_parts, parts)) found = make_resolution(self, &target);
    if (target.bytes != stack) PyMem_Free(target.bytes);
    return found;
}

static PyObject *Reader_resolve(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    if (count < 2 || count > 3)
        return PyErr_Format(PyExc_TypeError, "resolve() takes 2 or 3 arguments, not %zd", count);
    PyObject *note = count == 3 ? arguments[2] : Py_None;
    PyObject *found = note == Py_None ? resolve((Reader *)self, arguments) : NULL;
    if (found != NULL || PyErr_Occurred()) return found;
    PyObject *pure = ((Reader *)self)->objects[PURE];
    return PyObject_CallMethod(pure, "resolve", "OOO", arguments[0], arguments[1], note);
}

/* Set a class, unless it is None: one of views, or one whose instances are tuples and nothing more. */
static int set_class(Reader *self, int class, PyObject *given) {
    if (given == Py_None) return 0;
    PyTypeObject *type = (PyTypeObject *)given;
    PyObject *usual = PyObject_GetAttrString((PyObject *)&PyTuple_Type, "__basicsize__");
    PyObject *size = usual == NULL ? NULL : PyObject_GetAttrString(given, "__basicsize__");
    bool fits = size != NULL && PyType_Check(given);
    if (fits && class == VIEW)
        fits = PyType_GetSlot(type, Py_tp_dealloc) == (void *)View_dealloc;
    else if (fits)
        fits = PyType_IsSubtype(type, &PyTuple_Type) && PyObject_RichCompareBool(size, usual, Py_EQ) == 1;
    Py_XDECREF(size);
    Py_XDECREF(usual);
    if (!fits) {
        PyErr_Format(PyExc_TypeError, "%R is not a class of %s", given, class == VIEW ? "views" : "tuples");
        return -1;
    }
    self->objects[class] = Py_NewRef(given);
    return 0;
}

static int set_choices(Reader *self, PyObject *choices) {
    PyObject *key, *value;
    Py_ssize_t place = 0;
    for (int index = 0; choices != NULL && PyDict_Next(choices, &place, &key, &value); index++) {
        Py_ssize_t length = 0, letters = 0;
        const char *name = PyUnicode_AsUTF8AndSize(key, &length);
        while (name != NULL && name[letters] >= 'a' && name[letters] <= 'z') letters++;
        if (letters == 0 || letters != length || length > NAME || index == CHOICES ||
            !Py_IS_TYPE(value, Py_TYPE((PyObject *)self))) {
            PyErr_Format(PyExc_ValueError, "no place for %R: %R", key, value);
            return -1;
        }
        self->choices[index] = (Scheme){Py_NewRef(value), length, beginning((Text){(const uint8_t *)name, length}), 0};
        memset(&self->choices[index].mask, 0xFF, (size_t)length);
    }
    return 0;
}

static PyObject *Reader_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"table", "pure", "kind", "view", "choices", "resolution", "steps", "order", NULL};
    PyObject *packed, *pure, *kind = Py_None, *view = Py_None, *choices = NULL, *resolution = Py_None;
    const char *steps = "", *order = NULL;
    Py_ssize_t parts = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "SO|OOO!Osy#", names, &packed, &pure, &kind, &view,
                                     &PyDict_Type, &choices, &resolution, &steps, &order, &parts))
        return NULL;
    Reader *self = (Reader *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self == NULL) return NULL;
    self->objects[PACKED] = Py_NewRef(packed);
    self->objects[PURE] = Py_NewRef(pure);
    if (strcmp(steps, "rfc1808") == 0) self->resolve = resolve_rfc1808;
    if (strcmp(steps, "rfc2396") == 0) self->resolve = resolve_rfc2396;
    if (strcmp(steps, "rfc3986") == 0) self->resolve = resolve_rfc3986;
    bool sound = load_table(&self->table, PyBytes_AsString(packed), PyBytes_Size(packed)) &&
                 (self->table.width || (kind == Py_None && view == Py_None && !*steps)) &&
                 (!*steps || (self->resolve != NULL && parts == PARTS && resolution != Py_None));
    for (int part = 0; sound && *steps && part < PARTS; part++)
        self->order[part] = (uint8_t)order[part] < self->table.width ? (uint8_t)order[part] : COMPONENTS;
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "not a packed table of this version, or not one for these steps");
    else if (set_class(self, KIND, kind) == 0 && set_class(self, VIEW, view) == 0 &&
             set_class(self, RESOLUTION, resolution) == 0 && set_choices(self, choices) == 0)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

/* There is no tp_clear: a cycle through `pure` is broken there. */
static int Reader_traverse(PyObject *self, visitproc visit, void *arg) {
    Reader *reader = (Reader *)self;
    Py_VISIT(Py_TYPE(self));
    for (int index = 0; index < OBJECTS; index++) Py_VISIT(reader->objects[index]);
    for (int index = 0; index < CHOICES; index++) Py_VISIT(reader->choices[index].object);
    return 0;
}

static void Reader_dealloc(PyObject *self) {
    Reader *reader = (Reader *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    for (int index = 0; index < OBJECTS; index++) Py_XDECREF(reader->objects[index]);
    for (int length = 0; length <= NAME; length++) Py_XDECREF(reader->recent[length].object);
    for (int index = 0; index < CHOICES; index++) Py_XDECREF(reader->choices[index].object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef Reader_methods[] = {
    {"accepts", Reader_accepts, METH_O, "Return True if the rule derives the text."},
    {"offset", Reader_offset, METH_O, "Return the length of the longest prefix with which a member begins."},
    {"read", Reader_read, METH_O, "Return the components of a text, or None if it is invalid."},
    {"view", Reader_view, METH_O, "Return a view of the components of a text, or None if it is invalid."},
    {"resolve", (PyCFunction)(void (*)(void))Reader_resolve, METH_FASTCALL,
     "Resolve a reference: resolve(base, reference, note=None)."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot Reader_slots[] = {
    {Py_tp_doc, (void *)"Runs the packed table of a rule; `pure` answers what the table does not."},
    {Py_tp_new, (void *)Reader_new},
    {Py_tp_traverse, (void *)Reader_traverse},
    {Py_tp_dealloc, (void *)Reader_dealloc},
    {Py_tp_methods, Reader_methods},
    {0, NULL}};

static PyType_Spec Reader_spec = {.name = "urloracle._native.Reader",
                                  .basicsize = sizeof(Reader),
                                  .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                  .slots = Reader_slots};

/* Return a class of views whose instances the collector of cycles does not track. */
static PyObject *new_view_class(PyObject *module, PyObject *name) {
    PyType_Spec spec = {.name = PyUnicode_AsUTF8AndSize(name, NULL),
                        .basicsize = sizeof(View),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = View_slots};
    return spec.name == NULL ? NULL : PyType_FromModuleAndSpec(module, &spec, NULL);
}

static PyMethodDef functions[] = {
    {"new_view_class", new_view_class, METH_O, "Return a class of views with this qualified name."},
    {NULL, NULL, 0, NULL}};

static int execute(PyObject *module) {
    PyObject *reader = PyType_FromModuleAndSpec(module, &Reader_spec, NULL);
    int added = reader == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)reader);
    Py_XDECREF(reader);
    return added;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_native", .m_doc = "The C engine of the oracle.",
                                 .m_methods = functions, .m_slots = slots};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
