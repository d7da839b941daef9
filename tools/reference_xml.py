"""The public symbols of weft, as Doxygen's XML has them: what the reference shows, and what it leaves out.

Left out are symbols that no program can use, or that the language defines:
- private members, friends, specialisations of templates of the standard library, and namespaces `detail`;
- overloads and specialisations for a likely mistake, whose body is a static_assert that says why;
- deduction guides and deleted functions;
- the symbols that docs/site/left_out.txt lists, which Doxygen, Breathe or Sphinx do not get right.
"""

import pathlib
import xml.etree.ElementTree as ElementTree

MISTAKES = ("always_false", "static_assert says why")
KINDS_OF_SECTIONS = {"typedef": "typedef", "enum": "enum", "variable": "var", "function": "func",
                     "define": "define"}


class Reference:
    """The XML of Doxygen in memory, with its sources."""

    def __init__(self, xml, include, left_out=()):
        self.xml = pathlib.Path(xml)
        self.include = pathlib.Path(include)
        self.left_out = set(left_out)
        self.trees = {}
        index = ElementTree.parse(self.xml / "index.xml").getroot()
        for compound in index.findall("compound"):
            path = self.xml / (compound.get("refid") + ".xml")
            self.trees[path] = ElementTree.parse(path)
        self.lines = {}

    def compounds(self, *kinds):
        for tree in self.trees.values():
            for compound in tree.getroot().findall("compounddef"):
                if compound.get("kind") in kinds:
                    yield compound

    def classes(self):
        """The classes that programs can name, those inside of classes too."""
        for compound in self.compounds("class", "struct", "union"):
            if not self.reason_to_leave_out_class(compound):
                yield compound

    def members(self, compound):
        """The members of a class or namespace that are part of the reference."""
        for section in compound.findall("sectiondef"):
            for member in section.findall("memberdef"):
                if not self.reason_to_leave_out(member, compound):
                    yield member

    def reason_to_leave_out_class(self, compound):
        if compound.get("prot") == "private":
            return "private"
        name = compound.findtext("compoundname")
        if "detail::" in name or name.startswith("std::"):
            return "detail"
        if name in self.left_out:
            return "listed"
        location = compound.find("location")
        if "<" in name and self.is_mistake(location):
            return "mistake"
        outer = name.rpartition("::")[0]
        for other in self.compounds("class", "struct"):
            if other.findtext("compoundname") == outer:
                return self.reason_to_leave_out_class(other)
        return None

    def reason_to_leave_out(self, member, compound):
        # Doxygen takes the members of an anonymous union for public ones of the class around it.
        of_union = (member.get("kind") == "variable" and compound.get("kind") == "class"
                    and member.findtext("name").endswith("_"))
        if member.get("prot") == "private" or of_union:
            return "private"
        if member.get("kind") == "friend":
            return "friend"
        definition = member.findtext("definition") or ""
        if (member.findtext("argsstring") or "").endswith("=delete"):
            return "deleted"
        if " -> " in (member.findtext("argsstring") or "") and not member.findtext("type"):
            return "deduction guide"
        if member.get("kind") == "function" and self.is_mistake(member.find("location")):
            return "mistake"
        if f"{compound.findtext('compoundname')}::{member.findtext('name')}" in self.left_out:
            return "listed"
        if "detail::" in definition.partition("(")[0].rpartition(" ")[2]:
            return "detail"
        return None

    def is_mistake(self, location):
        """Whether the body at `location` is only a static_assert for a mistake."""
        if location.get("bodystart") is None or int(location.get("bodyend")) < 0:
            return False
        first, last = int(location.get("bodystart")), int(location.get("bodyend"))
        body = self.source(location.get("file"))[first - 1:last]
        return any(mark in line for line in body for mark in MISTAKES)

    def unused(self):
        """The names to be left out that are no symbols."""
        names = {compound.findtext("compoundname") for compound in self.compounds("class", "struct")}
        for compound in self.compounds("class", "struct", "namespace", "file"):
            names |= {f"{compound.findtext('compoundname')}::{member.findtext('name')}"
                      for member in compound.iter("memberdef")}
        return sorted(self.left_out - names)

    def source(self, name):
        if name not in self.lines:
            self.lines[name] = (self.include / name).read_text(encoding="utf-8").splitlines()
        return self.lines[name]


def read_left_out(path):
    """The names of a list like docs/site/left_out.txt."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return [line.partition("|")[0].strip() for line in lines if line and not line.startswith("#")]


def text_of(element):
    """The comment of a symbol as plain text."""
    parts = [element.find(name) for name in ("briefdescription", "detaileddescription")]
    return " ".join("".join(part.itertext()) for part in parts if part is not None).strip()


def parameters(member):
    return [("".join(p.find("type").itertext()) if p.find("type") is not None else "").strip()
            for p in member.findall("param")]


def template_parameters(member):
    return ["".join(p.find("type").itertext()) for p in member.findall("templateparamlist/param")]


def write_for_breathe(reference, out):
    """Writes XML in which each header holds its classes and functions, without what is left out.

    Breathe would show one namespace for every header, and all that is private or a mistake.
    """
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    shown = {compound.get("id") for compound in reference.classes()}
    headers = {compound.find("location").get("file"): compound
               for compound in reference.compounds("file")}
    for header in headers.values():
        for inner in header.findall("innernamespace") + header.findall("innerclass"):
            header.remove(inner)
    for compound in reference.compounds("class", "struct", "union"):
        strip(reference, compound, shown)
        if compound.get("id") in shown:  # Breathe shows those inside of others if they are listed here, too
            header = headers[compound.find("location").get("file")]
            ElementTree.SubElement(header, "innerclass", refid=compound.get("id"),
                                   prot="public").text = compound.findtext("compoundname")
    for namespace in reference.compounds("namespace"):
        strip(reference, namespace, shown)
        for section in namespace.findall("sectiondef"):
            for member in section.findall("memberdef"):
                section.remove(member)
                add(headers[member.find("location").get("file")], member)
    for path, tree in reference.trees.items():
        tree.write(out / path.name, encoding="unicode")
    (out / "index.xml").write_text((reference.xml / "index.xml").read_text(encoding="utf-8"),
                                   encoding="utf-8")


def strip(reference, compound, shown):
    """Takes out of a class or namespace what is left out, and what Breathe would show of it."""
    seen = set()
    for section in compound.findall("sectiondef"):
        for member in section.findall("memberdef"):
            # A using-declaration of a base's function that is overridden here comes as a second one.
            arguments = (member.findtext("argsstring") or "").replace(" override", "")
            same = member.findtext("name"), arguments, tuple(template_parameters(member))
            if reference.reason_to_leave_out(member, compound) or same in seen:
                section.remove(member)
            seen.add(same)
            member.set("inline", "no")  # which is of no interest to a caller
        if not section.findall("memberdef"):
            compound.remove(section)
    for inner in compound.findall("innerclass"):
        if inner.get("refid") not in shown:
            compound.remove(inner)
    for derived in compound.findall("derivedcompoundref"):
        compound.remove(derived)
    for base in compound.findall("basecompoundref"):
        if "detail::" in (base.text or ""):
            compound.remove(base)


def add(header, member):
    """Puts a member of a namespace into the header that declares it."""
    kind = KINDS_OF_SECTIONS[member.get("kind")]
    for section in header.findall("sectiondef"):
        if section.get("kind") == kind:
            break
    else:
        section = ElementTree.SubElement(header, "sectiondef", kind=kind)
    member.find("name").text = member.findtext("qualifiedname") or member.findtext("name")
    section.append(member)


def named_concepts(reference):
    """The concepts that programs can name."""
    for concept in reference.compounds("concept"):
        if "detail::" not in concept.findtext("compoundname"):
            yield concept


def concepts(reference):
    """The concepts of each header in Sphinx's words: Breathe does not know them."""
    found = {}
    for concept in named_concepts(reference):
        types = ", ".join("".join(p.find("type").itertext())
                          for p in concept.findall("templateparamlist/param"))
        header = concept.find("location").get("file")
        found[header] = found.get(header, "") + (
            f"\n```{{cpp:concept}} template<{types}> {concept.findtext('compoundname')}\n\n"
            f"{text_of(concept)}\n```\n")
    return found
